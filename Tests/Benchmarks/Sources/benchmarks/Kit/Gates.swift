import Foundation

/// The limits of a file: each with the figure that it is about and the reason for it.
struct Gates {
  /// One limit.
  struct Gate: Decodable {
    /// Which figure of a row.
    enum Figure: String, Decodable { case value, ratio }

    let atMost: Double?
    let atLeast: Double?
    let of: Figure
    let reason: String
  }

  let gates: [String: Gate]

  init(contentsOf path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchmarkFailure("the file of limits \(path) cannot be read")
    }
    do {
      gates = try JSONDecoder().decode([String: Gate].self, from: data)
    } catch {
      throw BenchmarkFailure("the file of limits \(path) is not valid: \(error)")
    }
    for (name, gate) in gates.sorted(by: { $0.key < $1.key }) {
      guard (gate.atMost == nil) != (gate.atLeast == nil) else {
        throw BenchmarkFailure("\(path): \(name) needs one of \"atMost\" and \"atLeast\"")
      }
      guard !gate.reason.isEmpty else {
        throw BenchmarkFailure("\(path): \(name) needs a reason")
      }
    }
  }

  /// The limits of the rows whose names start with a prefix.
  func names(startingWith prefix: String) -> Set<String> {
    Set(gates.keys.filter { $0.hasPrefix(prefix) })
  }

  /// What is wrong with a figure, if anything is.
  func complaint(_ name: String, value: Double, ratio: Double?) -> String? {
    guard let gate = gates[name] else { return nil }
    guard let figure = gate.of == .value ? value : ratio else {
      return "\(name) has no ratio to hold against its limit"
    }
    let limit = gate.atMost ?? gate.atLeast ?? 0
    if gate.atMost != nil ? figure <= limit : figure >= limit { return nil }
    let bound = gate.atMost != nil ? "at most" : "at least"
    let rounded = (figure * 1_000).rounded() / 1_000
    return "the \(gate.of) of \(name) is \(rounded), \(bound) \(limit): \(gate.reason)"
  }
}

/// A row that another program took, or the reason why it did not.
struct ForeignRow: Decodable {
  let name: String
  let value: Double?
  let ratio: Double?
  let skipped: String?

  /// Reads JSON lines.
  static func read(_ path: String) throws -> [ForeignRow] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchmarkFailure("the file of rows \(path) cannot be read")
    }
    return try String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      let row = try? JSONDecoder().decode(ForeignRow.self, from: Data(line.utf8))
      guard let row, row.value != nil || row.skipped != nil else {
        throw BenchmarkFailure("\(path) has a line that is no row: \(line)")
      }
      return row
    }
  }
}
