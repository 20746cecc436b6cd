/// What has happened in a memory store since it was made; the numbers wrap around.
public struct MemoryCounters: Hashable, Sendable {
  /// Reads that found a fresh value.
  public var hits: UInt64 = 0
  /// Reads that found none.
  public var misses: UInt64 = 0
  /// Values stored, over an older one or not.
  public var insertions: UInt64 = 0
  /// Values refused because of a limit.
  public var rejected: UInt64 = 0
  /// Entries removed by `remove`.
  public var removedExplicitly: UInt64 = 0
  /// Values overwritten by newer ones.
  public var replaced: UInt64 = 0
  /// Entries removed because they were kept no longer.
  public var expired: UInt64 = 0
  /// Entries evicted to hold a limit.
  public var evicted: UInt64 = 0
  /// Entries removed with many others.
  public var invalidated: UInt64 = 0

  /// Removals that the listener was not told of, because it was slow and its queue full.
  public var droppedNotices: UInt64 = 0

  /// Makes counters that are all zero.
  public init() {}

  /// How many entries left for a reason.
  ///
  /// - Parameter reason: which one.
  public subscript(reason: RemovalReason) -> UInt64 {
    get {
      switch reason {
      case .explicit: removedExplicitly
      case .replaced: replaced
      case .expired: expired
      case .capacity: evicted
      case .invalidated: invalidated
      }
    }
    set {
      switch reason {
      case .explicit: removedExplicitly = newValue
      case .replaced: replaced = newValue
      case .expired: expired = newValue
      case .capacity: evicted = newValue
      case .invalidated: invalidated = newValue
      }
    }
  }

  /// What has been counted since a snapshot.
  ///
  /// - Parameter earlier: the snapshot.
  /// - Returns: the differences.
  public func since(_ earlier: MemoryCounters) -> MemoryCounters {
    var difference = self
    difference.hits &-= earlier.hits
    difference.misses &-= earlier.misses
    difference.insertions &-= earlier.insertions
    difference.rejected &-= earlier.rejected
    difference.droppedNotices &-= earlier.droppedNotices
    for reason in RemovalReason.allCases { difference[reason] &-= earlier[reason] }
    return difference
  }

  /// Adds the counters of another store or shard.
  ///
  /// - Parameter other: what to add.
  public mutating func add(_ other: MemoryCounters) {
    hits &+= other.hits
    misses &+= other.misses
    insertions &+= other.insertions
    rejected &+= other.rejected
    droppedNotices &+= other.droppedNotices
    for reason in RemovalReason.allCases { self[reason] &+= other[reason] }
  }
}
