import CacheAside
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct KeysTests {
  @Test func `write a key as text`() {
    // snippet: Write a key as text
    let folder = "a/b"
    let key: CacheKey = "\(folder)/\("c")"
    #expect(key.text == "a%2Fb/c")
    #expect(key != "\("a")/\("b/c")")
    // end
  }

  @Test func `name a function`() {
    // snippet: Name a function
    let search = cached("search") { (words: String, page: Int) in
      try await api.search(words, page: page)
    }
    #expect(search.key(for: "swift", 2).text == "%search('swift,2)")
    // end
  }

  @Test func `two functions with one name share their entries`() async throws {
    // snippet: Name a function
    let fromService = cached("user") { (id: Int) in try await api.user(id) }
    let alwaysAda = cached("user") { (id: Int) in User(id: id, name: "Ada") }
    let first = try await fromService(42)
    let second = try await alwaysAda(42)  // a hit: the same entry
    #expect(first == second)
    // end
  }

  @Test func `use a part of an argument`() async throws {
    // snippet: Use a part of an argument
    let fetchAvatar = cached("avatar", by: \.id) { (user: User) in try await api.avatar(of: user) }
    let avatar = try await fetchAvatar(User(id: 42, name: "Ada"))
    let same = try await fetchAvatar(User(id: 42, name: "Countess"))
    #expect(avatar == same)
    #expect(fetchAvatar.key(for: User(id: 42, name: "")).text == "%avatar(42)")
    // end
  }

  @Test func `use types of your own`() async throws {
    // snippet: Use types of your own
    enum Order: String, CacheKeyConvertible { case newest, oldest }
    struct Query: Codable, Hashable, CacheKeyConvertible {
      var words: Set<String>
      var page: Int
    }

    let search = cached("search") { (query: Query, order: Order) in
      try await api.search(query.words.sorted().joined(separator: " "), page: query.page)
    }
    let results = try await search(Query(words: ["cache", "swift"], page: 1), .newest)
    // end
    #expect(results == ["cache swift 1"])
  }

  @Test func `use an exact type of your own`() async throws {
    // snippet: Use types of your own
    struct Place: ExactCacheKey {
      var feed: String
      var number: Int

      func encode(into encoder: inout CacheKey.Encoder) {
        encoder.encode(feed)
        encoder.encode(number)
      }
    }
    let fetchItem = cached("item") { (place: Place) in "\(place.feed) \(place.number)" }
    let item = try await fetchItem(Place(feed: "news", number: 3))
    // end
    #expect(item == "news 3")
  }

  @Test func `change what is stored`() async throws {
    // snippet: Change what is stored
    let caches = try Caches {
      Feature("profiles", expiry: .days(7), version: 2) {
        Memory()
        Disk(limit: .megabytes(50))
      }
    }
    // end
    #expect(caches.featureNames.contains("profiles"))
  }

  @Test func `keep users apart`() async throws {
    // snippet: Keep users apart
    let fetchUser = cached("user") { (id: Int) in try await api.user(id) }

    try await Caches.withScope(["tenant": "north"]) {
      _ = try await fetchUser(42)
      #expect(fetchUser.peek(42) != nil)
    }
    Caches.withScope(["tenant": "south"]) {
      #expect(fetchUser.peek(42) == nil)
    }
    // end
  }

  @Test func `a scope inside another adds its parts`() async throws {
    let fetchUser = cached("user") { (id: Int) in try await api.user(id) }
    try await Caches.withScope(["tenant": "north"]) {
      _ = try await Caches.withScope(["user": "1"]) { try await fetchUser(42) }
      #expect(fetchUser.peek(42) == nil)
    }
    Caches.withScope(["user": "1", "tenant": "north"]) {
      #expect(fetchUser.peek(42) != nil)
    }
    Caches.withScope(["tenant": "south"]) {
      Caches.withScope(["user": "1"]) { #expect(fetchUser.peek(42) == nil) }
      Caches.withScope(["tenant": "north", "user": "1"]) {
        #expect(fetchUser.peek(42) != nil)
      }
    }
  }

  @Test func `print keys and read them back`() async throws {
    let caches = Caches.inMemory
    let search = try caches["search"].cached("search") { (words: String, page: Int) in
      try await api.search(words, page: page)
    }
    _ = try await search("swift", 2)
    #expect(search.peek("swift", 2) != nil)
    // snippet: Print keys and read them back
    let key = try CacheKey(printable: "%search('swift,2)")
    try await caches["search"].remove(key)
    // end
    #expect(search.peek("swift", 2) == nil)
  }

  @Test func `a write under a printed key is what the function returns`() async throws {
    let caches = Caches.inMemory
    let fetchUser = try caches["users"].cached("user") { (id: Int) in try await api.user(id) }
    let changed = User(id: 7, name: "changed")
    _ = try await fetchUser(7)
    // snippet: Print keys and read them back
    let users = try caches["users"].cache(CacheKey.self, User.self)
    try await users.set(changed, for: fetchUser.key(for: 7))
    let user = try await fetchUser(7)  // changed
    // end
    #expect(user == changed)
  }
}
