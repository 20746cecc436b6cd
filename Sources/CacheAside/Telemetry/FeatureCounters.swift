/// What a feature counts off the hit path; hits in memory are counted by the tables.
final class FeatureCounters: Sendable {
  /// Lookups that found a value in memory only after their load was registered.
  let lateHits = Counter()
  /// Lookups answered by a slower store.
  let storeHits = Counter()
  let misses = Counter()
  let coalesced = Counter()
  let staleServed = Counter()
  /// Loads answered with an expired value after all.
  let staleFallbacks = Counter()
  let loads = Counter()
  let loadFailures = Counter()
  let loadNanoseconds = Counter()
  let encodeFailures = Counter()
  let refreshes = Counter()
  let refreshFailures = Counter()
  let abandonedLoads = Counter()
  let timeouts = Counter()
  let rests = Counter()
  let breakerOpenings = Counter()
  let heldBackLoads = Counter()

  func fill(_ statistics: inout CacheStatistics) {
    statistics.hits &+= lateHits.count &+ storeHits.count
    statistics.misses = misses.count
    statistics.coalesced = coalesced.count
    statistics.staleServed = staleServed.count
    statistics.staleFallbacks = staleFallbacks.count
    statistics.loads = loads.count
    statistics.loadFailures = loadFailures.count
    statistics.loadTime = .nanoseconds(Int64(truncatingIfNeeded: loadNanoseconds.count))
    statistics.encodeFailures = encodeFailures.count
    statistics.refreshes = refreshes.count
    statistics.refreshFailures = refreshFailures.count
    statistics.abandonedLoads = abandonedLoads.count
    statistics.timeouts = timeouts.count
    statistics.rests = rests.count
    statistics.breakerOpenings = breakerOpenings.count
    statistics.heldBackLoads = heldBackLoads.count
  }

  func reset() {
    for counter in [
      lateHits, storeHits, misses, coalesced, staleServed, staleFallbacks, loads, loadFailures,
      loadNanoseconds,
      encodeFailures, refreshes, refreshFailures, abandonedLoads, timeouts, rests,
      breakerOpenings, heldBackLoads,
    ] {
      counter.reset()
    }
  }
}
