import CacheAside

extension HitForm {
  /// Forms by an interpolated key, against a dictionary with the same interpolation as its key.
  ///
  /// The `.prebuilt` ones have their keys built beforehand, and in the dictionary too.
  static var keyed: [HitForm] {
    [
      HitForm(name: "hit.memoized.key") {
        let callable = cached(key: { "user/\($0)" }) { (id: Int) in id }
        for key in try bootstrapped().keys { sink(try await callable(key)) }
        return interpolating { draws in
          var sum = 0
          for key in draws { sum &+= try await callable(key) }
          return sum
        }
      },
      HitForm(name: "hit.memoized.prebuilt", isAsync: true) {
        let callable = cached(key: { $0 }) { (key: CacheKey) in 1 }
        return try await prebuilt { keys in
          var sum = 0
          for key in keys { sum &+= try await callable(key) }
          return sum
        }
      },
      HitForm(name: "hit.immediate.key") {
        for key in try bootstrapped().keys { sink(try await cached(key: "user/\(key)") { key }) }
        return interpolating { draws in
          var sum = 0
          for key in draws { sum &+= try await cached(key: "user/\(key)") { key } }
          return sum
        }
      },
      HitForm(name: "hit.immediate.prebuilt", isAsync: true) {
        try await prebuilt { keys in
          var sum = 0
          for key in keys { sum &+= try await cached(key: key) { 1 } }
          return sum
        }
      },
    ]
  }

  private static func bootstrapped() throws -> Workload {
    _ = try SharedCaches.caches.get()
    return Workload.shared
  }

  private static func interpolating(
    _ hits: @escaping @Sendable ([Int]) async throws -> Int
  ) -> Duel {
    let work = Workload.shared
    let draws = work.draws
    let dictionary = LockedDictionary(places: work.keys.map { "user/\($0)" })
    return Duel(
      operations: draws.count,
      baseline: { try await detached { total(draws) { dictionary["user/\($0)"] } } },
      subject: { try await detached { try await hits(draws) } }
    )
  }

  /// Runs the form once over all keys, so that they are stored, and then over the draws.
  private static func prebuilt(
    _ hits: @escaping @Sendable ([CacheKey]) async throws -> Int
  ) async throws -> Duel {
    let work = try bootstrapped()
    let keys = work.keys.map { "user/\($0)" as CacheKey }
    sink(try await hits(keys))
    let dictionary = LockedDictionary(places: keys)
    let draws = work.places.map { keys[$0] }
    return Duel(
      operations: draws.count,
      baseline: { try await detached { total(draws) { dictionary[$0] } } },
      subject: { try await detached { try await hits(draws) } }
    )
  }
}
