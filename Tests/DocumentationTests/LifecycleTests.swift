import CacheAside
import CacheAsideTesting
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct LifecycleTests {
  @Test func start() async {
    await #expect(processExitsWith: .success) {
      // snippet: Start
      let caches = try Caches {
        Defaults(expiry: .minutes(10))
        Feature("default") { Memory(.count(50_000)) }
        Feature("profiles", expiry: .days(1)) {
          Memory()
          Disk(limit: .megabytes(50))
        }
      }
      try Caches.bootstrap(caches)
      // end
      _ = try await cached(key: "a") { 1 }
      #expect(try caches["default"].statistics.loads == 1)
      #expect(throws: CacheError.self) { try Caches.bootstrap(.inMemory) }
    }
  }

  @Test func `use other caches for a while`() async throws {
    // snippet: Use other caches for a while
    let fetchUser = cached("user") { (id: Int) in try await api.user(id) }

    try await Caches.withCurrent(.inMemory) {
      _ = try await fetchUser(42)
      #expect(fetchUser.peek(42) != nil)
    }
    #expect(fetchUser.peek(42) == nil)
    // end
  }

  @Test func `an app goes to the background`() async throws {
    let store = RecordingStore(try MemoryCacheStore())
    let caches = try Caches { Feature("users") { Store(store) } }
    try await caches["users"].cache(CacheKey.self, User.self).set(
      User(id: 1, name: "Ada"),
      for: "1"
    )
    // snippet: An app goes to the background
    func didEnterBackground() async {
      do { try await caches.flush() } catch {
        print("some entries were not written or erased: \(error)")
      }
    }
    // end
    await didEnterBackground()
    #expect(store.operations.contains { $0.kind == .flush })
  }

  @Test func `a program ends`() async throws {
    let caches = Caches.inMemory
    let fetchUser = try caches["users"].cached("user") { (id: Int) in try await api.user(id) }
    func serve() async throws { _ = try await fetchUser(42) }
    // snippet: A program ends
    try await serve()
    try await caches.close(within: .seconds(5))
    // end
    #expect(try await fetchUser(42).name == "Ada")
    #expect(fetchUser.peek(42) == nil)
  }

  @Test func `log a user out`() async throws {
    try await withTemporaryFolder { folder in
      let caches = try Caches {
        Feature("inbox", expiry: .days(1)) {
          Memory()
          Disk(location: .directory(folder))
        }
      }
      let inbox = try caches["inbox"].cached("inbox") { (id: Int) in "mail \(id)" }
      let scopes: [CacheScope] = [["user": "ada"], ["tenant": "north", "user": "ada"]]
      for scope in scopes {
        try await Caches.withScope(scope) {
          let mail = try await inbox(42)
          #expect(mail == "mail 42")
          #expect(inbox.peek(42) != nil)
        }
      }
      // snippet: Log a user out
      func logOut(_ user: String) async throws {
        try await caches["inbox"].remove(.namespace(["user": user]), erasing: true)
      }
      // end
      try await logOut("ada")
      for scope in scopes {
        Caches.withScope(scope) { #expect(inbox.peek(42) == nil) }
      }
      try await caches.close()
    }
  }

  @Test func `start with a warm memory`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/profiles"
      for _ in 0..<2 {
        let caches = Caches.inMemory
        // snippet: Start with a warm memory
        let profiles = try caches["profiles"].cache(Int.self, Profile.self)
        try await profiles.restoreMemory(from: path)
        // …
        try await profiles.saveMemory(to: path)
        // end
        if profiles.peek(1) != nil { return }
        try await profiles.set(Profile(name: "Ada"), for: 1)
        try await profiles.saveMemory(to: path)
      }
      Issue.record("nothing came back")
    }
  }

  @Test func `the system runs short of memory`() async throws {
    let caches = Caches.inMemory
    try await caches["profiles"].cache(Int.self, Profile.self).set(Profile(name: "Ada"), for: 1)
    let fetch = try caches["profiles"].cached("profile") { (id: Int) in Profile(name: "\(id)") }
    _ = try await fetch(1)
    // snippet: The system runs short of memory
    let profiles = try caches["profiles"].cache(Int.self, Profile.self)
    profiles.removeAllFromMemory()
    try caches["profiles"].removeAllFromMemory()  // functions by name have tables of their own
    // end
    #expect(profiles.count == 0)
    #expect(fetch.peek(1) == nil)
  }

  @Test func `tests take the place of time`() async throws {
    // snippet: Tests take the place of time
    let clock = ManualClock()
    let caches = Caches.inMemory(time: clock.timeSource)
    let prices = try caches["prices"].cached("price", expiry: .days(1)) { (item: String) in 100 }

    _ = try await prices("tea")
    try await clock.advance(by: .seconds(86_400))
    #expect(prices.peek("tea") == nil)
    // end
  }
}
