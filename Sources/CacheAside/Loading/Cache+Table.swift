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
    forgetFailure(key, hash)
  }

  /// This table's own key for a key of the feature, when the feature's keys are the table's.
  func ownKey(_ key: CacheKey) -> Key? {
    guard strategy.isIdentity else { return nil }
    // Keys of the table carry a namespace only under a scope.
    return (key.namespace == core.namespace ? key.moved(to: nil) : key)
      as? Key
  }

  func invalidate(_ key: CacheKey) {
    if let own = ownKey(key) { return invalidateTyped(own) }
    guard !strategy.isIdentity, strategy.mayDerive(key) else { return }
    let matches: (Key) -> Bool = { [self] in storeKey($0) == key }
    flights.supersedeAll(where: matches)
    for candidate in memory.keys() where matches(candidate) { invalidateTyped(candidate) }
  }

  func expireInMemory(_ key: CacheKey, _ expiry: HandExpiry) {
    if let own = ownKey(key) { return expireTyped(own, expiry) }
    guard !strategy.isIdentity, strategy.mayDerive(key) else { return }
    let matches: (Key) -> Bool = { [self] in storeKey($0) == key }
    flights.supersedeAll(where: matches)
    for candidate in memory.keys() where matches(candidate) { expireTyped(candidate, expiry) }
  }

  func closeReaders(_ key: CacheKey) {
    if let own = ownKey(key) { return flights.closeReaders(own, hash: memory.hash(of: own)) }
    guard !strategy.isIdentity, strategy.mayDerive(key) else { return }
    flights.closeReaders { [self] in storeKey($0) == key }
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
    memory.count <= 65_536 ? memory.removeExpired(now: now) : memory.sweep(budget: 16_384)
  }

  func removeExpiredFromMemory(now: Int64) -> Int {
    memory.removeExpired(now: now, staleToo: true)
  }

  func trimMemory(_ fraction: Double) { memory.trim(toFraction: 1 - fraction) }

  var needsSweep: Bool { memory.needsSweep }

  var isEmptyInMemory: Bool { memory.count == 0 }

  func fill(_ statistics: inout CacheStatistics) {
    let counters = memory.counters.since(countersAtReset.withLock { $0 })
    statistics.tiers[0].hits &+= counters.hits
    statistics.tiers[0].misses &+= counters.misses
    statistics.hits &+= counters.hits
    statistics.rejected &+= counters.rejected
    statistics.droppedNotices &+= counters.droppedNotices
    for reason in RemovalReason.allCases where counters[reason] > 0 {
      statistics.removals[reason, default: 0] &+= counters[reason]
    }
    statistics.entries += memory.count
    statistics.cost = statistics.cost.addingClamped(memory.totalCost)
    statistics.tables += 1
    statistics.flights += flights.flightCount
    statistics.waiters += flights.waiterCount
  }

  func resetTable() {
    let counters = memory.counters
    countersAtReset.withLock { $0 = counters }
  }
}
