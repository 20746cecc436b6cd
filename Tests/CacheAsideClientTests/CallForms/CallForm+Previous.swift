import CacheAside

extension CallForm {
  /// The immediate form with a producer that sees the previous value.
  static func previous() async throws -> [CallForm] {
    let cache = try Caches.inMemory["users"].cache(Int.self, User.self)
    return [
      CallForm(
        "previous",
        try await cached(key: "p") { (previous: Previous<Int>?) in Produced(previous?.value ?? 1) },
        is: "Int"
      ),
      CallForm(
        "previous in several statements",
        try await cached(key: "p", expiry: .minutes(1)) {
          (previous: Previous<Int>?) -> Produced<Int> in
          if previous != nil { return .notModified }
          return Produced(1, validator: "1")
        },
        is: "Int"
      ),
      CallForm("previous, function reference", try await cached(key: "p", renewNumber), is: "Int"),
      CallForm(
        "previous with options",
        try await cached(
          key: "p",
          staleIfError: .hours(1),
          tags: ["n"],
          mode: .reload,
          renewNumber
        ),
        is: "Int"
      ),
      CallForm(
        "previous, of a cache",
        try await cache.cached(1) { (previous: Previous<User>?) in
          previous == nil ? Produced(User(id: 1)) : .notModified
        },
        is: "User"
      ),
      CallForm(
        "plain, of a cache with options",
        try await cache.cached(2, staleWhileRevalidate: .minutes(1), tags: ["n"]) { User(id: 2) },
        is: "User"
      ),
      CallForm(
        "previous, outcome",
        try await cache.outcome(1) { (previous: Previous<User>?) in Produced(User(id: 1)) },
        is: "CacheOutcome<User>"
      ),
      CallForm(
        "updates",
        cache.updates(1) { User(id: 1) },
        is: "CacheUpdates<User>"
      ),
      CallForm(
        "updates, Produced",
        cache.updates(1) { Produced(User(id: 1)) },
        is: "CacheUpdates<User>"
      ),
      CallForm(
        "updates, previous",
        cache.updates(1) { (previous: Previous<User>?) in Produced(User(id: 1)) },
        is: "CacheUpdates<User>"
      ),
    ]
  }

  /// `cached` around a function that sees the previous value.
  static func previousOfFunctions() -> [CallForm] {
    [
      CallForm(
        "key of no argument, previous",
        cached(key: { "number" }) { (previous: Previous<Int>?) in Produced(1) },
        is: "MemoizedFunction<CacheKey, Int, Pack{}>"
      ),
      CallForm(
        "key of no argument, previous reference",
        cached(key: { "number" }, renewNumber),
        is: "MemoizedFunction<CacheKey, Int, Pack{}>"
      ),
      CallForm(
        "key of one, previous",
        cached(key: { "user/\($0)" }) { (id: Int, previous: Previous<User>?) in
          Produced(User(id: id))
        },
        is: "MemoizedFunction<CacheKey, User, Pack{Int}>"
      ),
      CallForm(
        "key of one, previous in several statements",
        cached(key: { "user/\($0)" }, expiry: .minutes(1)) {
          (id: Int, previous: Previous<User>?) -> Produced<User> in
          if previous != nil { return .notModified }
          return Produced(User(id: id))
        },
        is: "MemoizedFunction<CacheKey, User, Pack{Int}>"
      ),
      CallForm(
        "key of one, previous reference",
        cached(key: { "user/\($0)" }, renewUser),
        is: "MemoizedFunction<CacheKey, User, Pack{Int}>"
      ),
      CallForm(
        "key of two, previous reference",
        cached(key: { "\($0)/\($1)" }, renewPage),
        is: "MemoizedFunction<CacheKey, Array<User>, Pack{String, Int}>"
      ),
      CallForm(
        "key of three, previous reference",
        cached(key: { "\($0)/\($1)/\($2)" }, renewSlice),
        is: "MemoizedFunction<CacheKey, Array<User>, Pack{String, Int, Int}>"
      ),
      CallForm(
        "named, no argument, previous",
        cached("n") { (previous: Previous<Int>?) in Produced(1) },
        is: "MemoizedFunction<ArgumentPack<Pack{}>, Int, Pack{}>"
      ),
      CallForm(
        "named, one, previous",
        cached("u") { (id: Int, previous: Previous<User>?) in Produced(User(id: id)) },
        is: "Memoized<Int, User>"
      ),
      CallForm("named, one, previous reference", cached("u", renewUser), is: "Memoized<Int, User>"),
      CallForm(
        "named, two, previous reference",
        cached("p", tags: ["users"], renewPage),
        is: "MemoizedFunction<ArgumentPair<String, Int>, Array<User>, Pack{String, Int}>"
      ),
    ]
  }

  /// The same as methods of a feature.
  static func previousInFeature() async throws -> [CallForm] {
    let feature = try Caches.inMemory["users"]
    return [
      CallForm(
        "feature, previous",
        try await feature.cached(key: "p") { (previous: Previous<Int>?) in Produced(1) },
        is: "Int"
      ),
      CallForm(
        "feature, options",
        try await feature.cached(key: "o", staleIfError: .hours(1), tags: ["n"]) { 1 },
        is: "Int"
      ),
      CallForm(
        "feature, key of one, previous",
        feature.cached(key: { "user/\($0)" }, renewUser),
        is: "MemoizedFunction<CacheKey, User, Pack{Int}>"
      ),
      CallForm(
        "feature, key of two, previous",
        feature.cached(key: { "\($0)/\($1)" }, renewPage),
        is: "MemoizedFunction<CacheKey, Array<User>, Pack{String, Int}>"
      ),
      CallForm(
        "feature, named, one, previous",
        feature.cached("u", staleIfError: .hours(1), renewUser),
        is: "Memoized<Int, User>"
      ),
      CallForm(
        "feature, named, none, previous",
        feature.cached("n", renewNumber),
        is: "MemoizedFunction<ArgumentPack<Pack{}>, Int, Pack{}>"
      ),
    ]
  }
}
