/// The stores of one feature, fastest first.
public struct StoresPlan: Sendable {
  /// The feature's name.
  public let feature: String

  /// The clock of the feature.
  public let time: TimeSource

  /// The limits of the memory tables; `nil` when the feature has no memory.
  public private(set) var memory: MemoryPlan?

  /// The slower stores.
  public private(set) var tiers: [TierPlan] = []

  init(feature: String, time: TimeSource) {
    self.feature = feature
    self.time = time
  }

  /// Sets the limits of the memory tables.
  ///
  /// - Parameter memory: the limits, for each table.
  /// - Throws: `CacheError` when memory was set already, or does not come first.
  public mutating func setMemory(_ memory: MemoryPlan) throws {
    guard self.memory == nil, tiers.isEmpty else {
      throw CacheError(
        .invalidConfiguration,
        "in feature \"\(feature)\" Memory must come first and at most once"
      )
    }
    self.memory = memory
  }

  /// Adds a slower store.
  ///
  /// - Parameter tier: the store with its settings.
  public mutating func add(_ tier: TierPlan) { tiers.append(tier) }

  /// Adds a slower store with default settings.
  ///
  /// - Parameter store: the store.
  public mutating func add(_ store: any CacheStore) { add(TierPlan(store: store)) }
}
