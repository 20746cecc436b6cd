import CacheAside

extension CallForm {
  /// `cached` around a function, the key made by a closure.
  static func keyClosures() -> [CallForm] {
    let one = "MemoizedFunction<CacheKey, User, Pack{Int}>"
    let two = "MemoizedFunction<CacheKey, Array<User>, Pack{String, Int}>"
    let three = "MemoizedFunction<CacheKey, Array<User>, Pack{String, Int, Int}>"
    return [
      CallForm(
        "key of no argument",
        cached(key: { "number" }) { 1 },
        is: "MemoizedFunction<CacheKey, Int, Pack{}>"
      ),
      CallForm("key of one", cached(key: { "user/\($0)" }) { (id: Int) in User(id: id) }, is: one),
      CallForm(
        "key of one, several statements",
        cached(key: { "user/\($0)" }, expiry: .minutes(5)) { (id: Int) in
          let user = try await loadUser(id)
          return user
        },
        is: one
      ),
      CallForm("key of one, function reference", cached(key: { "user/\($0)" }, loadUser), is: one),
      CallForm("key function reference", cached(key: keyOfUser, loadUser), is: one),
      CallForm("key that ignores its argument", cached(key: { _ in "user" }, loadUser), is: one),
      CallForm(
        "key of two",
        cached(key: { "page/\($0)/\($1)" }) { (query: String, page: Int) in [User(id: page)] },
        is: two
      ),
      CallForm("key of two, function reference", cached(key: { "\($0)/\($1)" }, loadPage), is: two),
      CallForm(
        "key that ignores two arguments",
        cached(key: { _, _ in "page" }, loadPage),
        is: two
      ),
      CallForm(
        "key of three",
        cached(key: { "\($0)/\($1)/\($2)" }) { (query: String, from: Int, to: Int) in
          [User(id: from), User(id: to)]
        },
        is: three
      ),
      CallForm(
        "key of three, function reference",
        cached(key: { "\($0)/\($1)/\($2)" }, loadSlice),
        is: three
      ),
    ] + decidingKeyClosures(one, two)
  }

  /// The same with a producer that decides.
  private static func decidingKeyClosures(_ one: String, _ two: String) -> [CallForm] {
    [
      CallForm(
        "key of no argument, Produced",
        cached(key: { "number" }) { Produced(1) },
        is: "MemoizedFunction<CacheKey, Int, Pack{}>"
      ),
      CallForm(
        "key of one, Produced",
        cached(key: { "user/\($0)" }) { (id: Int) in Produced(User(id: id)) },
        is: one
      ),
      CallForm(
        "key of one, Produced in several statements",
        cached(key: { "user/\($0)" }) { (id: Int) -> Produced<User> in
          let user = try await loadUser(id)
          return Produced(user, expiry: .seconds(1))
        },
        is: one
      ),
      CallForm(
        "key of one, Produced function reference",
        cached(key: { "user/\($0)" }, decideUser),
        is: one
      ),
      CallForm(
        "key of two, Produced function reference",
        cached(key: { "\($0)/\($1)" }, decidePage),
        is: two
      ),
    ]
  }
}
