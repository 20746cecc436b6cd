import CacheAside

/// Calls from inside an actor.
actor Shelf {
  private var loads = 0

  private func load() -> Int {
    loads += 1
    return loads
  }

  func forms() async throws -> [CallForm] {
    [
      CallForm("in an actor", try await cached(key: "a") { 1 }, is: "Int"),
      CallForm(
        "in an actor, its own method",
        try await cached(key: "b") { await self.load() },
        is: "Int"
      ),
      CallForm("in an actor, named", cached("u", loadUser), is: "Memoized<Int, User>"),
      CallForm(
        "in an actor, key closure",
        cached(key: { "user/\($0)" }) { (id: Int) in User(id: id) },
        is: "MemoizedFunction<CacheKey, User, Pack{Int}>"
      ),
    ]
  }
}

/// A type whose own member hides the global function.
struct Catalogue {
  func cached(_ name: String) -> String { name }

  func forms() async throws -> [CallForm] {
    [
      CallForm("its own member", cached("own"), is: "String"),
      CallForm("behind a member", try await CacheAside.cached(key: "a") { 1 }, is: "Int"),
      CallForm(
        "behind a member, named",
        CacheAside.cached("u", loadUser),
        is: "Memoized<Int, User>"
      ),
    ]
  }
}

extension CallForm {
  /// Calls from the main actor.
  @MainActor
  static func onMainActor() async throws -> [CallForm] {
    [
      CallForm("on the main actor", try await cached(key: "a") { 1 }, is: "Int"),
      CallForm(
        "on the main actor, main-actor work",
        try await cached(key: "b") { @MainActor in 1 },
        is: "Int"
      ),
      CallForm(
        "on the main actor, Produced",
        try await cached(key: "c") { Produced(1) },
        is: "Int"
      ),
      CallForm("on the main actor, named", cached("u", loadUser), is: "Memoized<Int, User>"),
      CallForm(
        "on the main actor, key closure",
        cached(key: { "\($0)/\($1)" }, loadPage),
        is: "MemoizedFunction<CacheKey, Array<User>, Pack{String, Int}>"
      ),
    ]
  }
}
