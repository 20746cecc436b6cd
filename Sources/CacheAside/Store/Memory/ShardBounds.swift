/// The limits of a shard as numbers.
struct ShardBounds {
  let count: Int
  let cost: Int
  let entryCost: Int

  /// Without a cost limit, so that the sum of all costs cannot overflow.
  private static let largestCost = 1 << 38

  init(_ limits: MemoryLimits) {
    let most = IndexTable.maximumPositions
    count = min(limits.countLimit ?? most, most)
    cost = limits.costLimit ?? .max
    entryCost = min(limits.entryCostLimit ?? .max, limits.costLimit ?? Self.largestCost)
  }
}
