/// A handle on a configured feature: `cached(…)` in all its forms, and what concerns all its keys.
public struct CacheFeature: Sendable {
  /// Where the feature comes from.
  @usableFromInline
  enum Source: Sendable {
    case fixed(TableRegistry)
    /// The default feature of the current caches, resolved at each call.
    case current

    /// The tables of this call.
    @usableFromInline var tables: TableRegistry {
      switch self {
      case .fixed(let tables): tables
      case .current: Caches.current.defaultTables
      }
    }
  }

  @usableFromInline let source: Source

  init(_ tables: TableRegistry) { source = .fixed(tables) }

  @usableFromInline
  init(_ source: Source) { self.source = source }

  /// The feature's tables now.
  @usableFromInline var tables: TableRegistry { source.tables }

  var core: FeatureCore { tables.core }

  /// The feature's name.
  public var name: String { core.name }

  /// The feature's typed cache; equal types share one.
  ///
  /// - Parameters:
  ///   - key: the key type.
  ///   - value: the value type.
  /// - Returns: the cache.
  public func cache<Key: CacheKeyConvertible, Value: Sendable>(
    _ key: Key.Type,
    _ value: Value.Type
  ) -> Cache<Key, Value> {
    tables.table(key, value, strategy: .single)
  }

  /// Removes a key from every tier, whatever the type of its value.
  ///
  /// - Parameter key: the key.
  /// - Throws: as `Cache.remove(_:)`.
  public nonisolated(nonsending) func remove(_ key: CacheKey) async throws {
    try await core.invalidate(key, nil)
  }

  /// Makes a key expired from now on, whatever the type of its value.
  ///
  /// - Parameter key: the key.
  /// - Throws: as `Cache.expire(_:)`.
  public nonisolated(nonsending) func expire(_ key: CacheKey) async throws {
    try await core.invalidate(key, core.handExpiry)
  }

  /// Removes everything of the feature from every tier.
  ///
  /// - Parameter erasing: whether to wait until the bytes are gone from every store.
  /// - Throws: as `Cache.removeAll(erasing:)`.
  public nonisolated(nonsending) func removeAll(erasing: Bool = false) async throws {
    try await core.removeAll(erasing: erasing)
  }

  /// Removes expired entries from every tier.
  ///
  /// - Returns: how many were removed.
  /// - Throws: as `Cache.removeExpired()`.
  @discardableResult
  public nonisolated(nonsending) func removeExpired() async throws -> Int {
    try await core.removeExpired()
  }

  /// How much each memory table of the feature may hold.
  public var memoryLimits: MemoryLimits { core.memoryPlan.limits }

  /// Changes how much each memory table of the feature may hold, and evicts at once what is too
  /// much; tables that are made later hold the new limits, too.
  ///
  /// - Parameter limits: the new limits, of the same kinds as before.
  /// - Throws: as `Cache.setMemoryLimits(_:)`.
  public func setMemoryLimits(_ limits: MemoryLimits) throws { try core.setMemoryLimits(limits) }

  /// Empties the memory of everything that goes through the feature; the slower stores keep their
  /// entries.
  ///
  /// No invalidation: loads and writes that go on are stored as usual.
  public func removeAllFromMemory() {
    for table in core.tables { table.removeAllFromMemory() }
  }

  /// What the feature has done so far.
  public var statistics: CacheStatistics { core.statistics }

  /// Sets every counter to zero.
  public func resetStatistics() { core.resetStatistics() }

  /// A stream of the feature's events that keeps the newest when its reader is slow.
  ///
  /// - Parameter limit: how many events wait for a slow reader.
  /// - Returns: a stream that ends when the caches are closed.
  public func events(bufferingNewest limit: Int = 256) -> AsyncStream<CacheEvent> {
    core.events.stream(bufferingNewest: limit)
  }

  /// Sends the feature's events to an observer from now on.
  ///
  /// - Parameter observer: called synchronously, outside the cache's locks.
  public func observe(_ observer: some CacheObserver) { core.events.add(observer) }

  /// Waits until everything written behind has reached its store, and erases what was removed.
  ///
  /// - Throws: as ``Caches/flush()``.
  public nonisolated(nonsending) func flush() async throws { try await core.flush() }

  /// Ends the feature: what has begun is awaited, and nothing is written any more.
  ///
  /// - Parameter limit: how long to wait; `nil` as long as it takes.
  /// - Throws: as ``Caches/close(within:)``.
  public nonisolated(nonsending) func close(within limit: Window? = nil) async throws {
    try await core.close(within: limit)
  }
}
