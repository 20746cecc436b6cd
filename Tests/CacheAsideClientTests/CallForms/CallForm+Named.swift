import CacheAside

extension CallForm {
  /// `cached` around a function, identified by its name and arguments.
  static func named() -> [CallForm] {
    let none = "MemoizedFunction<ArgumentPack<Pack{}>, Int, Pack{}>"
    let one = "Memoized<Int, User>"
    let two = "MemoizedFunction<ArgumentPair<String, Int>, Array<User>, Pack{String, Int}>"
    let three =
      "MemoizedFunction<ArgumentPack<Pack{String, Int, Int}>, Array<User>, Pack{String, Int, Int}>"
    return [
      CallForm("named, no argument", cached("n") { 1 }, is: none),
      CallForm("named, no argument, function reference", cached("n", loadNumber), is: none),
      CallForm("named, no argument, Produced", cached("n") { Produced(1) }, is: none),
      CallForm("named, one", cached("u") { (id: Int) in User(id: id) }, is: one),
      CallForm(
        "named, one, several statements",
        cached("u", expiry: .minutes(5)) { (id: Int) in
          let user = try await loadUser(id)
          return user
        },
        is: one
      ),
      CallForm("named, one, function reference", cached("u", loadUser), is: one),
      CallForm(
        "named, one, Produced",
        cached("u") { (id: Int) in Produced(User(id: id)) },
        is: one
      ),
      CallForm("named, one, Produced function reference", cached("u", decideUser), is: one),
      CallForm(
        "named, two",
        cached("p") { (query: String, page: Int) in [User(id: page)] },
        is: two
      ),
      CallForm("named, two, function reference", cached("p", loadPage), is: two),
      CallForm("named, two, Produced function reference", cached("p", decidePage), is: two),
      CallForm(
        "named, three",
        cached("s") { (query: String, from: Int, to: Int) in [User(id: to)] },
        is: three
      ),
      CallForm("named, three, function reference", cached("s", loadSlice), is: three),
      CallForm(
        "named, three, Produced",
        cached("s") { (query: String, from: Int, to: Int) in Produced([User(id: to)]) },
        is: three
      ),
    ]
  }

  /// `cached` around a function, identified by its name and a part of its arguments.
  static func byPart() -> [CallForm] {
    let one = "MemoizedFunction<Int, Int, Pack{User}>"
    let two = "MemoizedFunction<Int, Int, Pack{User, String}>"
    return [
      CallForm("by a key path", cached("a", by: \.id) { (user: User) in user.id }, is: one),
      CallForm("by a closure", cached("a", by: { $0.id }) { (user: User) in user.id }, is: one),
      CallForm("by a function", cached("a", by: partOfUser) { (user: User) in user.id }, is: one),
      CallForm(
        "by a key path, several statements",
        cached("a", by: \.id) { (user: User) in
          let id = user.id
          return id
        },
        is: one
      ),
      CallForm(
        "by a key path, Produced",
        cached("a", by: \.id) { (user: User) in Produced(user.id) },
        is: one
      ),
      CallForm(
        "by a closure of two",
        cached("a", by: { user, _ in user.id }) { (user: User, locale: String) in user.id },
        is: two
      ),
      CallForm(
        "by a closure of two, Produced",
        cached("a", by: { user, _ in user.id }) { (user: User, locale: String) in
          Produced(user.id)
        },
        is: two
      ),
    ]
  }
}
