import CacheAside
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct ModesTests {
  @Test func `say it for one call`() async throws {
    // snippet: Say it for one call
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }

    let user = try await fetchUser(42, mode: .reload)
    let same = try await fetchUser(42, mode: .cacheOnly)
    // end
    #expect(user == same)
  }

  @Test func `say it for a whole request`() async throws {
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }
    // snippet: Say it for a whole request
    let users = try await Caches.withMode(.reload) {
      try await [fetchUser(1), fetchUser(2)]
    }
    // end
    #expect(users.map(\.id) == [1, 2])
  }

  @Test func `show what is there, then what is new`() async throws {
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }
    // snippet: Show what is there, then what is new
    var shown: [User] = []
    for try await user in fetchUser.updates(42) { shown.append(user) }
    // end
    #expect(shown.map(\.id) == [42])
  }

  @Test func `change a value in place`() async throws {
    let caches = Caches.inMemory
    // snippet: Change a value in place
    let counters = try caches["counters"].cache(String.self, Int.self)

    let visits = try await counters.update("visits") { count in
      count = (count ?? 0) + 1
      return count
    }
    // end
    #expect(visits == 1)
  }
}
