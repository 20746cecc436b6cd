import CacheAside
import Foundation

/// What a run did.
struct Report {
  let files: Int
  let calls: Int
  let statistics: CacheStatistics
  let failures: [(path: String, reason: String)]
  let elapsed: Duration

  private var produced: UInt64 { statistics.loads }
  private var memoryHits: UInt64 { statistics.hits - diskHits }
  private var diskHits: UInt64 { statistics.tiers.first { $0.name == "disk" }?.hits ?? 0 }
  private var seconds: Double { elapsed / .seconds(1) }

  /// Says what the disk could not keep; the work was done all the same.
  func complain() {
    let failed = statistics.tiers.reduce(0) { $0 + $1.writeFailures }
    if failed > 0 { printError("quickstart: \(failed) results could not be kept on disk") }
  }

  var json: String {
    let fields = [
      "\"files\": \(files)", "\"calls\": \(calls)", "\"produced\": \(produced)",
      "\"coalesced\": \(statistics.coalesced)", "\"memoryHits\": \(memoryHits)",
      "\"diskHits\": \(diskHits)", "\"failures\": \(failures.count)",
      "\"seconds\": \(String(format: "%.3f", seconds))",
    ]
    for failure in failures { printError("failed: \(failure.reason)") }
    return "{" + fields.joined(separator: ", ") + "}"
  }

  var table: String {
    let rows = [
      ("files", "\(files)"),
      ("calls", "\(calls)"),
      ("producer runs", "\(produced)"),
      ("coalesced", "\(statistics.coalesced)"),
      ("memory hits", "\(memoryHits)"),
      ("disk hits", "\(diskHits)"),
      ("failures", "\(failures.count)"),
      ("wall time", String(format: "%.3f s", seconds)),
    ]
    let width = rows.map(\.1.count).max() ?? 0
    var lines = rows.map { name, value in
      name.padding(toLength: 15, withPad: " ", startingAt: 0)
        + String(repeating: " ", count: width - value.count) + value
    }
    for failure in failures { lines.append("failed: \(failure.reason)") }
    return lines.joined(separator: "\n")
  }
}
