import CacheAside

extension CallForm {
  /// The forms as methods of a feature.
  static func inFeature() async throws -> [CallForm] {
    let feature = try Caches.inMemory["users"]
    return [
      CallForm("feature, immediate", try await feature.cached(key: "a") { 1 }, is: "Int"),
      CallForm(
        "feature, immediate, Produced",
        try await feature.cached(key: "a") { Produced(1) },
        is: "Int"
      ),
      CallForm(
        "feature, key closure",
        feature.cached(key: { "user/\($0)" }) { (id: Int) in User(id: id) },
        is: "MemoizedFunction<CacheKey, User, Pack{Int}>"
      ),
      CallForm(
        "feature, key closure, Produced",
        feature.cached(key: { "user/\($0)" }, decideUser),
        is: "MemoizedFunction<CacheKey, User, Pack{Int}>"
      ),
      CallForm("feature, named, one", feature.cached("u", loadUser), is: "Memoized<Int, User>"),
      CallForm(
        "feature, named, Produced",
        feature.cached("u", decideUser),
        is: "Memoized<Int, User>"
      ),
      CallForm(
        "feature, named, two",
        feature.cached("p", loadPage),
        is: "MemoizedFunction<ArgumentPair<String, Int>, Array<User>, Pack{String, Int}>"
      ),
      CallForm(
        "feature, named, three",
        feature.cached("s", loadSlice),
        is:
          "MemoizedFunction<ArgumentPack<Pack{String, Int, Int}>, Array<User>, Pack{String, Int, Int}>"
      ),
      CallForm(
        "feature, by a key path",
        feature.cached("a", by: \.id) { (user: User) in user.id },
        is: "MemoizedFunction<Int, Int, Pack{User}>"
      ),
    ]
  }
}
