import CacheAside
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct GettingStartedTests {
  @Test func `cache one call`() async throws {
    // snippet: Cache one call
    func user(_ id: Int) async throws -> User {
      try await cached(key: "user/\(id)", expiry: .minutes(5)) { try await api.user(id) }
    }
    // end
    #expect(try await user(42).name == "Ada")
  }

  @Test func `cache a function`() async throws {
    // snippet: Cache a function
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }
    let search = cached("search", expiry: .seconds(30)) { (words: String, page: Int) in
      try await api.search(words, page: page)
    }

    let user = try await fetchUser(42)
    let results = try await search("swift", 2)
    // end
    #expect(user.id == 42)
    #expect(results == ["swift 2"])
  }

  @Test func `cache a function with a key closure`() async throws {
    // snippet: Cache a function
    let fetchProfile = cached(key: { "profile/\($0)" }, expiry: .minutes(5)) { (id: Int) in
      try await api.profile(id)
    }
    let profile = try await fetchProfile(42)
    // end
    #expect(profile.name == "Ada")
    #expect(fetchProfile.key(for: 42).text == "profile/42")
  }

  @Test func `work with the entries`() async throws {
    // snippet: Work with the entries
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }

    let nothing = fetchUser.peek(42)  // what is fresh in memory, or nil: synchronous, never loads
    let outcome = try await fetchUser.outcome(42)  // the value with source, age and remaining life
    let newest = try await fetchUser.refresh(42)  // load now, store and return
    try await fetchUser.expire(42)  // expired from now on: the next call loads
    try await fetchUser.remove(42)  // gone from every store
    // end
    #expect(nothing == nil)
    #expect(outcome.value == newest)
    #expect(fetchUser.peek(42) == nil)
  }

  @Test func `let the producer decide`() async throws {
    // snippet: Let the producer decide
    let fetchToken = cached(key: { "token/\($0)" }) { (scope: String) -> Produced<Token> in
      let token = try await api.token(for: scope)
      return Produced(token, expiry: .seconds(token.secondsToLive - 20))
    }
    let token = try await fetchToken("mail")
    // end
    #expect(token.text == "mail")
    let life = try await fetchToken.outcome("mail").remainingLife
    #expect(try #require(life) <= .seconds(100))
  }

  @Test func `use a callback function as a producer`() async throws {
    // snippet: Use a callback function as a producer
    let profile = try await cached(key: "me") {
      try await Produced<Profile> { success, failure in
        api.profile { result in
          switch result {
          case .success(let profile): success(profile, .minutes(5))
          case .failure(let error): failure(error)
          }
        }
      }
    }
    // end
    #expect(profile.name == "Ada")
  }

  @Test func `choose stores`() async throws {
    // snippet: Choose stores
    let caches = try Caches {
      Defaults(expiry: .minutes(10))
      Feature("profiles", expiry: .minutes(5)) {
        Memory(.count(10_000))
        Disk(limit: .megabytes(50))
      }
      Feature("search") {
        Memory(.cost(8_000_000))
      }
    }
    let fetchProfile = try caches["profiles"].cached("profile") { (id: Int) in
      try await api.profile(id)
    }
    // end
    #expect(caches.featureNames == ["default", "profiles", "search"])
    #expect(fetchProfile.peek(42) == nil)
  }

  @Test func `use a typed cache`() async throws {
    let caches = Caches.inMemory
    // snippet: Use a typed cache
    let profiles = try caches["profiles"].cache(Int.self, Profile.self)

    let profile = try await profiles.cached(42) { try await api.profile(42) }
    let stored = try await profiles.value(for: 42)  // memory, then disk; never loads
    try await profiles.set(Profile(name: "Ada"), for: 42, expiry: .hours(1))
    profiles[42] = nil  // synchronous: memory and disk on this thread
    // end
    #expect(profile == stored)
    #expect(profiles.peek(42) == nil)
    let own = try Cache<Int, Profile>(name: "profiles") { Memory() }
    #expect(own.name == "profiles")
  }

  @Test func `decide for one call`() async throws {
    // snippet: Decide for one call
    func profile(_ id: Int, isOnline: Bool) async throws -> Profile {
      try await cached(
        key: "profile/\(id)",
        mode: isOnline ? .default : .anyAge,
        storing: { !$0.name.isEmpty },
        default: Profile(name: "Unknown")
      ) { try await api.profile(id) }
    }
    // end
    let online = try await profile(42, isOnline: true)
    let offline = try await profile(42, isOnline: false)
    #expect(online == offline)
  }
}
