/// How long the operations of a store may take before the cache goes on without it.
///
/// Each time is for one key; every further key of one operation adds a hundredth of it. Operations
/// whose records the store finds itself (clearing, tags, conditions, listing) have sixty times the time
/// of a write.
struct TierDeadlines: Sendable {
  /// In nanoseconds; `nil` for never.
  let read: Int64?
  let write: Int64?

  /// - Parameters:
  ///   - read: the time of a read; `nil` takes the default: none for a store that blocks, a quarter of
  ///     a second for one that suspends.
  ///   - write: the time of a write or removal; `nil` takes the default: none, or a second.
  ///   - blocks: whether the store's work blocks a thread.
  init(read: Window? = nil, write: Window? = nil, blocks: Bool) {
    func limit(_ window: Window?, _ standard: Int64) -> Int64? {
      guard let window else { return blocks ? nil : standard }
      return window == .unlimited ? nil : window.nanoseconds
    }
    self.read = limit(read, 250_000_000)
    self.write = limit(write, 1_000_000_000)
  }

  /// The time of an operation.
  func limit(_ kind: TierOperation.Kind, count: Int) -> Int64? {
    switch kind {
    case .read: read.map { Self.scaled($0, count) }
    case .write, .removal: write.map { Self.scaled($0, count) }
    case .clear, .invalidation, .listing, .upkeep:
      write.map { $0.multipliedReportingOverflow(by: 60) }.map {
        $0.overflow ? .max : $0.partialValue
      }
    }
  }

  private static func scaled(_ limit: Int64, _ count: Int) -> Int64 {
    let further = (limit / 100).multipliedReportingOverflow(by: Int64(max(0, count - 1)))
    return further.overflow ? .max : Lifetime.sum(limit, further.partialValue)
  }
}
