import CacheAside

extension HitForm {
  /// Asynchronous hits of a cache, against synchronous ones of the same cache.
  static var asynchronous: [HitForm] {
    [
      HitForm(name: "hit.async.method", isAsync: true) {
        let (cache, draws) = try table()
        return Duel(
          operations: draws.count,
          baseline: { try await detached { total(draws) { cache[$0] } } },
          subject: {
            try await detached {
              var sum = 0
              for key in draws { sum &+= try await cache.value(for: key) ?? 0 }
              return sum
            }
          }
        )
      },
      HitForm(name: "hit.async.cached", isAsync: true) {
        let (cache, draws) = try table()
        return Duel(
          operations: draws.count,
          baseline: { try await detached { total(draws) { cache[$0] } } },
          subject: {
            try await detached {
              var sum = 0
              for key in draws { sum &+= try await cache.cached(key) { key } }
              return sum
            }
          }
        )
      },
      HitForm(name: "hit.async.main", isAsync: true) {
        let (cache, draws) = try table()
        return Duel(
          operations: draws.count,
          baseline: { await onMain(cache, draws) },
          subject: { try await onMainAsync(cache, draws) }
        )
      },
    ]
  }

  private static func table() throws -> (Cache<Int, Int>, [Int]) {
    (try makeCache(Workload.shared.keys), Workload.shared.draws)
  }

  @MainActor
  private static func onMain(_ cache: Cache<Int, Int>, _ draws: [Int]) -> Int {
    total(draws) { cache[$0] }
  }

  @MainActor
  private static func onMainAsync(_ cache: Cache<Int, Int>, _ draws: [Int]) async throws -> Int {
    var sum = 0
    for key in draws { sum &+= try await cache.value(for: key) ?? 0 }
    return sum
  }
}
