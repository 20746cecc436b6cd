// One store among several on a folder, which stores records with tags of its own and removes them by
// these tags, while the others do the same, in this process and another. After each removal the record
// must be gone, and records that nobody removes must be there: some carry no tag, some one that is
// never removed.
import CacheAside

struct LedgerLane: Sendable {
  /// What was seen.
  struct Report: Sendable {
    var removals = 0
    /// Records that were there after their removal was acknowledged.
    var resurrected = 0
    /// Records that were gone although nobody had removed them.
    var lost = 0

    var line: String { "\(removals) \(resurrected) \(lost)" }

    init() {}

    /// Reads a line that ``line`` gave.
    init?(_ line: some StringProtocol) {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3 else { return nil }
      (removals, resurrected, lost) = (numbers[0], numbers[1], numbers[2])
    }

    static func + (lhs: Report, rhs: Report) -> Report {
      var sum = lhs
      sum.removals += rhs.removals
      sum.resurrected += rhs.resurrected
      sum.lost += rhs.lost
      return sum
    }
  }

  static let tags = 600
  static let witnesses = 20
  static let namespace = Namespace("ledger")

  let folder: String
  let name: String
  let end: ContinuousClock.Instant

  /// Works until the time is over.
  func run() throws -> Report {
    let store = try DiskStore(directory: folder, limit: .unlimited)
    var report = Report()
    for index in 0..<Self.witnesses {
      try store.setBlocking(
        entry(index.isMultiple(of: 2) ? [] : [Tag("kept/\(name)")]),
        for: witness(index)
      )
    }
    var index = 0
    while ContinuousClock.now < end {
      let key = ("\(name)/\(index)" as CacheKey).within(Self.namespace)
      let tag = Tag("\(name)/\(index)")
      try store.setBlocking(entry([tag]), for: key)
      if try store.entryBlocking(for: key) == nil { report.lost += 1 }
      try store.invalidateBlocking(StoreInvalidation(.remove, .anyOf([tag]), in: Self.namespace))
      report.removals += 1
      if try store.entryBlocking(for: key) != nil { report.resurrected += 1 }
      let kept = witness(report.removals % Self.witnesses)
      if try store.entryBlocking(for: kept) == nil {
        report.lost += 1
        try store.setBlocking(
          entry(report.removals.isMultiple(of: 2) ? [] : [Tag("kept/\(name)")]),
          for: kept
        )
      }
      index = (index + 1) % Self.tags
    }
    return report
  }

  private func witness(_ index: Int) -> CacheKey {
    ("witness/\(name)/\(index)" as CacheKey).within(Self.namespace)
  }

  private func entry(_ tags: [Tag]) -> CacheEntry {
    var entry = CacheEntry(payload: [1], codec: .raw, type: 1, created: 0)
    entry.metadata.tags = tags
    return entry
  }
}
