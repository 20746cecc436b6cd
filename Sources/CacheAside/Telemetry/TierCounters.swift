/// What one slower tier has done.
final class TierCounters: Sendable {
  let hits = Counter()
  let misses = Counter()
  let readFailures = Counter()
  let writeFailures = Counter()
  let damaged = Counter()
  let decodeFailures = Counter()
  let schemaChanges = Counter()

  func snapshot(_ name: String) -> CacheStatistics.Tier {
    var tier = CacheStatistics.Tier(name: name)
    tier.hits = hits.count
    tier.misses = misses.count
    tier.readFailures = readFailures.count
    tier.writeFailures = writeFailures.count
    tier.damaged = damaged.count
    tier.decodeFailures = decodeFailures.count
    tier.schemaChanges = schemaChanges.count
    return tier
  }

  func reset() {
    for counter in [
      hits, misses, readFailures, writeFailures, damaged, decodeFailures, schemaChanges,
    ] {
      counter.reset()
    }
  }
}
