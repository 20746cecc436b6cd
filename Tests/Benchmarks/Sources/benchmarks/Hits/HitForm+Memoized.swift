import CacheAside

extension HitForm {
  private struct TwoArguments: Hashable {
    let number: Int
    let name: String
  }

  /// Callables in the named form.
  static var memoized: [HitForm] {
    [
      HitForm(name: "hit.memoized.1", isAsync: true) {
        let work = Workload.shared
        let draws = work.draws
        let callable = try SharedCaches.caches.get()["hits"].cached("one") { (key: Int) in key }
        for key in work.keys { sink(try await callable(key)) }
        let cache = try makeCache(work.keys)
        return Duel(
          operations: draws.count,
          baseline: { try await detached { total(draws) { cache[$0] } } },
          subject: {
            try await detached {
              var sum = 0
              for key in draws { sum &+= try await callable(key) }
              return sum
            }
          }
        )
      },
      HitForm(name: "hit.memoized.2", isAsync: true) {
        let work = Workload.shared
        let (keys, strings, places) = (work.keys, work.strings, work.places)
        let callable = try SharedCaches.caches.get()["hits"].cached("two") {
          (number: Int, name: String) in number &+ name.utf8.count
        }
        for place in keys.indices { sink(try await callable(keys[place], strings[place])) }
        let dictionary = LockedDictionary(
          places: keys.indices.map { TwoArguments(number: keys[$0], name: strings[$0]) }
        )
        return Duel(
          operations: places.count,
          baseline: {
            try await detached {
              total(places) { dictionary[TwoArguments(number: keys[$0], name: strings[$0])] }
            }
          },
          subject: {
            try await detached {
              var sum = 0
              for place in places { sum &+= try await callable(keys[place], strings[place]) }
              return sum
            }
          }
        )
      },
    ]
  }
}
