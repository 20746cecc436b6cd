import Synchronization

extension Cache: CacheTable {
  /// Marks the loads of this table's key and removes it from memory.
  func invalidateTyped(_ key: Key) {
    let hash = memory.hash(of: key)
    flights.supersede(key, hash: hash)
    _ = memory.remove(key, hash: hash)
    forgetFailure(key, hash)
  }

  /// Marks the loads of this table's key and makes it expired in memory.
  func expireTyped(_ key: Key, _ expiry: HandExpiry) {
    let hash = memory.hash(of: key)
    flights.supersede(key, hash: hash)
    memory.expire(
      key,
      hash: hash,
      at: expiry.now.monotonic,
      staleIfError: expiry.staleIfError,
      keepExpired: expiry.kept
    )
    sweepWhatExpires()
    forgetFailure(key, hash)
  }

  func invalidate(_ key: CacheKey) { forEachKey(printedAs: key) { invalidateTyped($0) } }

  func expireInMemory(_ key: CacheKey, _ expiry: HandExpiry) {
    forEachKey(printedAs: key) { expireTyped($0, expiry) }
  }

  func closeReaders(_ key: CacheKey) {
    forEachKey(printedAs: key) { flights.closeReaders($0, hash: memory.hash(of: $0)) }
  }

  func giveUpUnobserved() { flights.giveUpUnobserved() }

  func holdNotices() { memory.holdNotices() }

  func releaseNotices() { memory.releaseNotices() }

  func invalidateAll() {
    flights.supersedeAll()
    memory.removeAll(reason: .invalidated)
    forgetFailures()
  }

  @discardableResult
  func sweep(now: Int64) -> Int {
    // A large table is swept in parts, so that one tick stays in the order of a millisecond.
    let removed =
      memory.count <= 65_536 ? memory.removeExpired(now: now) : memory.sweep(budget: 16_384)
    cleanIndex()
    return removed
  }

  func removeExpiredFromMemory(now: Int64) -> Int {
    memory.removeExpired(now: now, staleToo: true)
  }

  func trimMemory(_ fraction: Double) { memory.trim(toFraction: 1 - fraction) }

  var needsSweep: Bool { memory.needsSweep }

  /// Has swept what was expired by hand and is kept for a while.
  func sweepWhatExpires() {
    if memory.hasDeadlines { core.startSweeper() }
  }

  func firstEnd() -> Int64 { memory.firstEnd() }

  var isEmptyInMemory: Bool { memory.count == 0 }

  func fill(_ statistics: inout CacheStatistics) {
    statistics.add(countersSinceReset)
    statistics.entries += memory.count
    statistics.cost = statistics.cost.addingClamped(memory.totalCost)
    statistics.tables += 1
    statistics.flights += flights.flightCount
    statistics.waiters += flights.waiterCount
  }

  /// What the memory table has counted since the last reset.
  var countersSinceReset: MemoryCounters {
    memory.counters.since(countersAtReset.withLock { $0 })
  }

  var isIdle: Bool {
    isEmptyInMemory && flights.registrationCount == 0 && flights.flightCount == 0 && rests.isEmpty
      && ownBreaker?.holdsBack(core.time.precise) != true
      && errors.load().map { $0.count == 0 } ?? true && scopedTableIfMade?.isIdle ?? true
  }

  func resetTable() {
    let counters = memory.counters
    countersAtReset.withLock { $0 = counters }
  }
}

extension CacheStatistics {
  /// Adds what a memory table has counted.
  mutating func add(_ counters: MemoryCounters) {
    tiers[0].hits &+= counters.hits
    tiers[0].misses &+= counters.misses
    hits &+= counters.hits
    rejected &+= counters.rejected
    droppedNotices &+= counters.droppedNotices
    for reason in RemovalReason.allCases where counters[reason] > 0 {
      removals[reason, default: 0] &+= counters[reason]
    }
  }
}
