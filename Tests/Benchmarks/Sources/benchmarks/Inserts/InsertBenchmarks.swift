import CacheAside

/// `insert.evict`: new keys into a full cache, against a dictionary that evicts the oldest.
func insertBenchmarks() -> [Benchmark] {
  [
    Benchmark(name: "insert.evict") {
      let work = Workload.shared
      let cache = try Cache<Int, Int>(name: "inserts") { Memory(.count(Workload.keyCount)) }
      let ring = RingDictionary(capacity: Workload.keyCount)
      return Measurement(
        "insert.evict",
        "ns",
        await inserting(
          count: Workload.keyCount,
          into: cache,
          ring,
          // Before each pass both are full of what is drawn, and the frequent are known as such.
          fillCache: {
            for key in work.keys where cache.peek(key) == nil { cache[key] = key }
            for key in work.draws where cache[key] == nil { cache[key] = key }
          },
          fillRing: {
            for key in work.keys where ring[key] == nil { ring.insert(key, for: key) }
            for key in work.draws where ring[key] == nil { ring.insert(key, for: key) }
          }
        )
      )
    }
  ]
}

/// Inserts keys that were never there before, in turns into a full cache and a full ring.
func inserting(
  count: Int,
  pairs: Int = 9,
  into cache: Cache<Int, Int>,
  _ ring: RingDictionary,
  fillCache: () -> Void = {},
  fillRing: () -> Void = {}
) async -> (value: Double, baseline: Double, ratio: Double) {
  var (nextInCache, nextInRing) = (1 << 40, 1 << 40)
  return await interleaved(
    pairs: pairs,
    operations: count,
    beforeBaseline: fillRing,
    beforeSubject: fillCache,
    baseline: { count in
      for number in nextInRing..<nextInRing + count {
        ring.insert(number, for: Workload.key(number))
      }
      nextInRing += count
      return ring[Workload.key(nextInRing - 1)] ?? 0
    },
    subject: { count in
      for number in nextInCache..<nextInCache + count { cache[Workload.key(number)] = number }
      nextInCache += count
      return cache[Workload.key(nextInCache - 1)] ?? 0
    }
  )
}
