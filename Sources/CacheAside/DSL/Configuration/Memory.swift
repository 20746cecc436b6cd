/// Memory as the first store of a feature.
///
/// Limits hold for each table, one a pair of key and value types in the feature.
public struct Memory: StoreComponent, Hashable {
  private let plan: MemoryPlan

  /// Memory with limits.
  ///
  /// - Parameters:
  ///   - limits: how much a table may hold; by default 10,000 entries. Zero stores nothing.
  ///   - policy: which entry leaves when there is no room.
  ///   - exact: whether a table fills to its limit exactly, with one lock for all.
  ///   - resistsFlooding: whether integer keys, too, are hashed by a keyed hash, for keys that an
  ///     attacker may choose.
  public init(
    _ limits: MemoryLimits = .count(10_000),
    policy: EvictionPolicy = .lazyTinyLFU,
    exact: Bool = false,
    resistsFlooding: Bool = false
  ) {
    plan = MemoryPlan(
      limits: limits,
      policy: policy,
      isExact: exact,
      resistsFlooding: resistsFlooding
    )
  }

  /// Sets the feature's memory.
  ///
  /// - Parameter plan: the stores above it: none.
  /// - Throws: `CacheError` when memory is not the first store.
  public func apply(to plan: inout StoresPlan) throws { try plan.setMemory(self.plan) }
}
