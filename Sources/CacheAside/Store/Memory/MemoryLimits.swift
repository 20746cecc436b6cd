/// How much a memory store may hold; the limits hold at every instant.
///
/// Zero stores nothing. A limit is split over the shards of the store, so that an entry may be at
/// most as large as a shard's part; say what entries cost when they are large.
public struct MemoryLimits: Hashable, Sendable {
  /// How many entries at most; `nil` is no limit.
  public var countLimit: Int?

  /// The sum of their costs at most; `nil` is no limit.
  public var costLimit: Int?

  /// The cost of one entry at most; `nil` allows a shard's whole part.
  ///
  /// A larger entry is not stored, evicts nothing, and removes its previous version.
  public var entryCostLimit: Int?

  /// What an entry costs as a rule, for choosing the number of shards; `nil` when it is unknown.
  public var expectedEntryCost: Int?

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - countLimit: how many entries at most.
  ///   - costLimit: the sum of their costs at most.
  ///   - entryCostLimit: the cost of one entry at most.
  ///   - expectedEntryCost: what an entry costs as a rule.
  public init(
    countLimit: Int? = nil,
    costLimit: Int? = nil,
    entryCostLimit: Int? = nil,
    expectedEntryCost: Int? = nil
  ) {
    self.countLimit = countLimit
    self.costLimit = costLimit
    self.entryCostLimit = entryCostLimit
    self.expectedEntryCost = expectedEntryCost
  }

  /// No limit: entries leave by expiry and removal only.
  public static let unlimited = MemoryLimits()

  /// At most some entries.
  ///
  /// - Parameter limit: how many; zero stores nothing.
  /// - Returns: the limits.
  public static func count(_ limit: Int) -> MemoryLimits { MemoryLimits(countLimit: limit) }

  /// At most some cost in all.
  ///
  /// - Parameter limit: the sum of the costs; zero stores nothing.
  /// - Returns: the limits.
  public static func cost(_ limit: Int) -> MemoryLimits { MemoryLimits(costLimit: limit) }

  /// Refuses what makes no sense.
  func validate() throws {
    let fields = [
      ("countLimit", countLimit), ("costLimit", costLimit), ("entryCostLimit", entryCostLimit),
      ("expectedEntryCost", expectedEntryCost),
    ]
    for case (let name, let value?) in fields where value < 0 {
      throw CacheError(
        .invalidConfiguration,
        "\(name) is \(value); use 0 to store nothing or leave it out for no limit"
      )
    }
  }

  /// How many shards they allow: the largest power of two up to 16 that leaves each 256 entries,
  /// and 1 MiB or 256 entries of the expected cost, and room for the largest entry.
  func shardCount(exact: Bool) -> Int {
    if exact { return 1 }
    var shards = 16
    if let countLimit { while shards > 1 && countLimit / shards < 256 { shards /= 2 } }
    if let costLimit {
      let (usual, overflow) = max(1, expectedEntryCost ?? 4096).multipliedReportingOverflow(by: 256)
      let least = max(overflow ? .max : usual, entryCostLimit ?? 0)
      while shards > 1 && costLimit / shards < least { shards /= 2 }
    }
    return shards
  }

  /// The part of one shard.
  func part(of shard: Int, among shards: Int) -> MemoryLimits {
    func share(_ limit: Int?) -> Int? {
      limit.map { $0 / shards + (shard < $0 % shards ? 1 : 0) }
    }
    var part = self
    part.countLimit = share(countLimit)
    part.costLimit = share(costLimit)
    return part
  }
}
