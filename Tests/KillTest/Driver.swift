import CacheAside
import Foundation

/// Runs rounds, and after each looks at every key from a process that did not write it.
struct Driver {
  var rounds = 50
  var seed: UInt64 = 1
  var isNaive = false

  private let workers = 2
  private typealias Counts = [Ledger.Fault: Int]

  /// Runs all rounds and prints a table.
  ///
  /// - Returns: how many violations there were.
  func run() async throws -> Int {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cache-aside-kill-\(seed)")
    try? FileManager.default.removeItem(at: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = SplitMix64(state: seed)
    var ledgers = (0..<workers).map { _ in Ledger() }
    var totals: Counts = [:]
    var (operations, checked, inFlight) = (0, 0, 0)
    print("round    limit  acknowledged  in flight  keys read  " + Self.header)
    for number in 1...max(1, rounds) {
      // Every fifth round evicts.
      let setup = Setup(
        folder: folder.path,
        limit: number % 5 == 0 ? 1_500_000 : 0,
        isNaive: isNaive
      )
      for index in ledgers.indices { ledgers[index].beginRound() }
      let round = Round(
        number: number,
        setup: setup,
        begins: 20 + Int(random.next() % 3_000),
        delay: random.next() % 300,
        seed: random.next()
      )
      let seen = try round.run(&ledgers)
      for sentence in seen { print("  a worker saw: \(sentence)") }
      let pending = ledgers.reduce(0) { $0 + $1.inFlight }
      var counts: Counts = [.wrong: seen.count]
      let read = try await inspect(setup, &ledgers, &counts)
      let acknowledged = ledgers.reduce(0) { $0 + $1.acknowledgements }
      print(
        Self.cell(number, 5) + Self.cell(setup.limit, 9) + Self.cell(acknowledged, 14)
          + Self.cell(pending, 11) + Self.cell(read, 11) + "  " + Self.row(counts)
      )
      operations += acknowledged
      checked += read
      inFlight += pending
      totals.merge(counts, uniquingKeysWith: +)
    }
    print(
      "total" + Self.cell("-", 9) + Self.cell(operations, 14) + Self.cell(inFlight, 11)
        + Self.cell(checked, 11) + "  " + Self.row(totals)
    )
    return totals.values.reduce(0, +)
  }

  /// Reads every key through a store that was opened after the kill.
  private func inspect(
    _ setup: Setup,
    _ ledgers: inout [Ledger],
    _ counts: inout Counts
  ) async throws -> Int {
    let cache = try setup.open()
    func note(_ fault: Ledger.Fault, _ key: String, _ stamp: Stamp?) {
      counts[fault, default: 0] += 1
      print("  \(fault.rawValue): \(key) holds \(stamp.map { "\($0)" } ?? "nothing usable")")
    }
    for worker in ledgers.indices {
      for index in 0..<Setup.ownedKeys {
        let key = Setup.ownedKey(worker, index)
        let bytes = try await cache.value(for: key)
        let stamp = bytes.flatMap { Stamp($0) }
        if bytes != nil && stamp == nil { note(.torn, key, nil) }
        if let stamp, stamp.key != key || stamp.writer != worker { note(.wrong, key, stamp) }
        let fault = ledgers[worker].judge(key, stamp?.version, mayEvict: setup.limit > 0)
        if let fault { note(fault, key, stamp) }
      }
    }
    for index in 0..<Setup.sharedKeys {
      let key = Setup.sharedKey(index)
      guard let bytes = try await cache.value(for: key) else { continue }
      let stamp = Stamp(bytes)
      if stamp == nil { note(.torn, key, nil) }
      if let stamp, stamp.key != key { note(.wrong, key, stamp) }
    }
    // A record that is not whole is a miss; that it was there at all is a fault.
    counts[.torn, default: 0] += Int(cache.statistics.tiers.reduce(0) { $0 + $1.damaged })
    try await cache.close()
    return workers * Setup.ownedKeys + Setup.sharedKeys
  }

  private static let header = Ledger.Fault.allCases.map { cell($0.rawValue, 12) }.joined()

  private static func row(_ counts: Counts) -> String {
    Ledger.Fault.allCases.map { cell(counts[$0, default: 0], 12) }.joined()
  }

  private static func cell(_ content: some CustomStringConvertible, _ width: Int) -> String {
    let text = content.description
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
