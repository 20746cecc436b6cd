/// The limits of a shard as numbers; sums of costs have 64 bits wherever `Int` has fewer.
struct ShardBounds {
  let count: Int
  let cost: Int64
  let entryCost: Int64

  /// Without a cost limit, so that the sum of all costs cannot overflow.
  private static let largestCost: Int64 = 1 << 38

  init(_ limits: MemoryLimits) {
    let most = IndexTable.maximumPositions
    count = min(limits.countLimit ?? most, most)
    let costLimit = limits.costLimit.map { Int64($0) }
    cost = costLimit ?? .max
    entryCost = min(limits.entryCostLimit.map { Int64($0) } ?? .max, costLimit ?? Self.largestCost)
  }
}
