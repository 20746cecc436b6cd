import CacheAside
import Foundation

/// What the readers got, what the source was asked, and whether that is as promised.
struct Report {
  let terms: Terms
  let runs: Runs
  let tally: Tally
  /// When each phase ended, from the start of the first.
  let ends: [Duration]

  private static let sources: [(name: String, source: CacheSource)] = [
    ("memory", .memory),
    ("disk", .store("disk")),
    ("produced", .produced),
    ("coalesced", .coalesced),
    ("stale, revalidating", .stale(.revalidating)),
    ("stale, load failed", .stale(.loadFailed)),
    ("stale, resting", .stale(.resting)),
    ("stale, soft timeout", .stale(.softTimeout)),
  ]

  /// A column a phase.
  var table: String {
    let columns = Phase.allCases.map { tally[$0] }
    let all = runs.all
    let ofPhase = Phase.allCases.map { phase in all.filter { $0.phase == phase } }
    var rows = [("source", Phase.allCases.map(\.description))]
    rows.append(("seconds", lengths.map(Self.seconds)))
    rows.append(("answers", columns.map { "\($0.total)" }))
    for (name, source) in Self.sources {
      rows.append(("  \(name)", columns.map { "\($0.answers[source] ?? 0)" }))
    }
    rows.append(("  error in the window", columns.map { "\($0.errors)" }))
    if columns.contains(where: { $0.errorsAfterWindow > 0 }) {
      rows.append(("  error after it", columns.map { "\($0.errorsAfterWindow)" }))
    }
    rows.append(("slowest answer, s", columns.map { Self.seconds($0.slowest) }))
    rows.append(("oldest value, s", columns.map { Self.seconds($0.oldest) }))
    rows.append(("producer runs", ofPhase.map { "\($0.count)" }))
    rows.append(("  failed", ofPhase.map { "\($0.count(where: \.isFailed))" }))
    rows.append(("  least of a key", ofPhase.map { "\(Self.perKey($0).min() ?? 0)" }))
    rows.append(("  most of a key", ofPhase.map { "\(Self.perKey($0).max() ?? 0)" }))
    return rows.map { name, cells in
      name.padding(toLength: 22, withPad: " ", startingAt: 0)
        + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
    }.joined(separator: "\n")
  }

  /// What must hold, each with what was seen.
  var checks: [(isKept: Bool, text: String)] {
    let errors = Phase.allCases.map { tally[$0].errors }.reduce(0, +)
    let down = runs.all.filter { $0.phase == .down }
    let renewed = tally.keys(ofEpoch: 2)
    let pauses = runs.pauses
    let limit = terms.mostRuns(in: lengths[Phase.down.rawValue] / .seconds(1))
    let least = pauses.least.map { ", the shortest pause was \(Self.seconds($0)) s" } ?? ""
    return [
      (errors == 0, "\(errors) errors within the stale window"),
      (
        (1...limit).contains(down.count) && !down.contains(where: \.hasAnswered),
        "the source that was down was asked \(down.count) times (at most \(limit)), in vain"
      ),
      (
        pauses.early == 0,
        "\(pauses.early) producer runs within \(Self.seconds(.seconds(terms.retryAfterFailure))) s "
          + "after a failed one of the same key\(least)"
      ),
      (renewed == Terms.keys, "\(renewed) of \(Terms.keys) keys had new values in the end"),
    ]
  }

  private var lengths: [Duration] {
    zip(ends, [.zero] + ends).map { end, start in end - start }
  }

  private static func perKey(_ runs: [Runs.Run]) -> [Int] {
    (0..<Terms.keys).map { key in runs.count { $0.key == key } }
  }

  private static func seconds(_ duration: Duration) -> String {
    String(format: "%.2f", duration / .seconds(1))
  }
}
