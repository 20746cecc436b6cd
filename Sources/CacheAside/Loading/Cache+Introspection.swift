import Synchronization

extension Cache {
  /// What the feature has done so far.
  public var statistics: CacheStatistics { core.statistics }

  /// Sets every counter of the feature to zero.
  public func resetStatistics() { core.resetStatistics() }

  /// A stream of the feature's events that keeps the newest when its reader is slow.
  ///
  /// - Parameter limit: how many events wait for a slow reader; at least one. What is dropped is
  ///   counted in the statistics.
  /// - Returns: a stream that ends when the caches are closed.
  public func events(bufferingNewest limit: Int = 256) -> AsyncStream<CacheEvent> {
    core.events.stream(bufferingNewest: limit)
  }

  /// Sends the feature's events to an observer from now on.
  ///
  /// - Parameter observer: called synchronously, outside the cache's locks.
  public func observe(_ observer: some CacheObserver) { core.events.add(observer) }

  /// The number of entries in memory, expired ones included until they are swept.
  public var count: Int { memory.count + (scopedTableIfMade?.count ?? 0) }

  /// The cost of the entries in memory.
  public var totalCost: Int { memory.totalCost.addingClamped(scopedTableIfMade?.totalCost ?? 0) }

  /// Waits until everything written behind has reached its store, and erases what was removed.
  ///
  /// - Throws: what a store throws when something could not be written or erased; `CacheError` with the
  ///   code `closed` once the stores were closed.
  public nonisolated(nonsending) func flush() async throws { try await core.flush() }

  /// Ends the cache's feature: what has begun is awaited, and nothing is written any more.
  ///
  /// - Parameter limit: how long to wait; `nil` as long as it takes.
  /// - Throws: as ``Caches/close(within:)``.
  public nonisolated(nonsending) func close(within limit: Window? = nil) async throws {
    try await core.close(within: limit)
  }
}

extension FeatureCore {
  var statistics: CacheStatistics {
    var statistics = CacheStatistics()
    statistics.tiers = [CacheStatistics.Tier(name: "memory")]
    for table in tables { table.fill(&statistics) }
    statistics.add(goneCounters.withLock { $0 })
    for tier in tiers { statistics.tiers.append(tier.counters.snapshot(tier.name)) }
    counters.fill(&statistics)
    statistics.droppedEvents = events.droppedEvents
    return statistics
  }

  func resetStatistics() {
    for table in tables { table.resetTable() }
    goneCounters.withLock { $0 = MemoryCounters() }
    for tier in tiers { tier.counters.reset() }
    counters.reset()
    events.resetDropped()
  }
}
