import CacheAside

extension CallForm {
  /// The immediate form with windows, tags and a mode.
  static func options() async throws -> [CallForm] {
    let force = CommandLine.argc == 0
    let tag: Tag = "users"
    return [
      CallForm(
        "staleWhileRevalidate",
        try await cached(key: "o", staleWhileRevalidate: .minutes(5)) { 1 },
        is: "Int"
      ),
      CallForm(
        "staleIfError",
        try await cached(key: "o", staleIfError: .hours(1)) { 1 },
        is: "Int"
      ),
      CallForm("tags", try await cached(key: "o", tags: ["users"]) { 1 }, is: "Int"),
      CallForm("tags in variables", try await cached(key: "o", tags: [tag]) { 1 }, is: "Int"),
      CallForm(
        "all options",
        try await cached(
          key: "o",
          expiry: .minutes(1),
          staleWhileRevalidate: .minutes(5),
          staleIfError: .hours(1),
          tags: ["users", tag],
          policy: CachePolicy(),
          mode: .default
        ) { 1 },
        is: "Int"
      ),
      CallForm(
        "all options, Produced",
        try await cached(
          key: "o",
          expiry: .minutes(1),
          staleWhileRevalidate: .minutes(5),
          staleIfError: .hours(1),
          tags: ["users"]
        ) { Produced(1) },
        is: "Int"
      ),
      CallForm(
        "options, function reference",
        try await cached(key: "o", staleIfError: .hours(1), tags: ["users"], loadNumber),
        is: "Int"
      ),
      CallForm(
        "a mode in a condition",
        try await cached(key: "o", mode: force ? .reload : .default) { 1 },
        is: "Int"
      ),
      CallForm(
        "a mode in a condition with nil",
        try await cached(key: "o", mode: force ? .reload : nil) { 1 },
        is: "Int"
      ),
    ]
  }

  /// `cached` around a function with windows and tags.
  static func optionsOfFunctions() -> [CallForm] {
    let one = "MemoizedFunction<CacheKey, User, Pack{Int}>"
    return [
      CallForm(
        "key of one, options",
        cached(key: { "user/\($0)" }, staleWhileRevalidate: .minutes(5), tags: ["users"]) {
          (id: Int) in User(id: id)
        },
        is: one
      ),
      CallForm(
        "key of one, options, Produced reference",
        cached(key: { "user/\($0)" }, staleIfError: .hours(1), tags: ["users"], decideUser),
        is: one
      ),
      CallForm(
        "named, options",
        cached("u", expiry: .minutes(1), staleIfError: .hours(1), tags: ["users"]) { (id: Int) in
          User(id: id)
        },
        is: "Memoized<Int, User>"
      ),
      CallForm(
        "named, two, options",
        cached("p", staleWhileRevalidate: .minutes(1), loadPage),
        is: "MemoizedFunction<ArgumentPair<String, Int>, Array<User>, Pack{String, Int}>"
      ),
      CallForm(
        "named, three, options",
        cached("s", tags: ["users"], loadSlice),
        is:
          "MemoizedFunction<ArgumentPack<Pack{String, Int, Int}>, Array<User>, Pack{String, Int, Int}>"
      ),
      CallForm(
        "by a key path, options",
        cached("a", by: \.id, staleIfError: .hours(1), tags: ["users"]) { (user: User) in user.id },
        is: "MemoizedFunction<Int, Int, Pack{User}>"
      ),
    ]
  }
}
