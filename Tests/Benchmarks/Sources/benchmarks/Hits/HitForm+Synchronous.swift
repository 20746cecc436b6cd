import CacheAside

extension HitForm {
  /// `cache[key]`, against `Mutex<Dictionary>` with the same keys and as many threads; idle expiry
  /// against a plain lifetime.
  static var synchronous: [HitForm] {
    [1, 2].flatMap { threads in
      let suffix = threads == 1 ? "" : ".\(threads)t"
      return [
        HitForm(name: "hit.sync.int" + suffix) {
          let work = Workload.shared
          return try integers(work, makeCache(work.keys), threads)
        },
        HitForm(name: "hit.sync.string" + suffix) {
          let work = Workload.shared
          let cache = try makeCache(work.strings)
          let dictionary = LockedDictionary(places: work.strings)
          let draws = work.stringDraws
          return Duel(
            operations: threads * draws.count,
            baseline: { onThreads(threads) { total(draws, from: $0) { dictionary[$0] } } },
            subject: { onThreads(threads) { total(draws, from: $0) { cache[$0] } } }
          )
        },
        HitForm(name: "hit.sync.ttl" + suffix) {
          let work = Workload.shared
          return try integers(work, makeCache(work.keys, expiry: .hours(24)), threads)
        },
        HitForm(name: "hit.sync.idle" + suffix) {
          let work = Workload.shared
          let expiring = try makeCache(work.keys, expiry: .hours(24))
          let idle = try makeCache(work.keys, expiry: .idle(.hours(1), max: .hours(24)))
          let draws = work.draws
          return Duel(
            operations: threads * draws.count,
            baseline: { onThreads(threads) { total(draws, from: $0) { expiring[$0] } } },
            subject: { onThreads(threads) { total(draws, from: $0) { idle[$0] } } }
          )
        },
      ]
    }
  }

  private static func integers(
    _ work: Workload,
    _ cache: Cache<Int, Int>,
    _ threads: Int
  ) -> Duel {
    let dictionary = LockedDictionary(places: work.keys)
    let draws = work.draws
    return Duel(
      operations: threads * draws.count,
      baseline: { onThreads(threads) { total(draws, from: $0) { dictionary[$0] } } },
      subject: { onThreads(threads) { total(draws, from: $0) { cache[$0] } } }
    )
  }
}

/// A cache in memory, with room for all keys, that finds each key's place in a list.
func makeCache<Key: CacheKeyConvertible>(
  _ keys: [Key],
  expiry: Expiry? = nil
) throws -> Cache<Key, Int> {
  let cache = try Cache<Key, Int>(name: "hits", expiry: expiry) { Memory(.count(2 * keys.count)) }
  for (place, key) in keys.enumerated() { cache[key] = place }
  return cache
}
