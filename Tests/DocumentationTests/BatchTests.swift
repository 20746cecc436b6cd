import CacheAside
import CacheAsideTesting
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct BatchTests {
  @Test func `load many ids`() async throws {
    // snippet: Load many ids
    let fetchUsers = cachedBatch(key: { "user/\($0)" }, expiry: .minutes(5)) { (ids: [Int]) in
      try await api.users(ids)
    }
    let users = try await fetchUsers([1, 2, 3])
    #expect(users[2]?.name == "Ada")
    #expect(users[3] == nil)
    // end
  }

  @Test func `one result for each id`() async throws {
    // snippet: One result for each id
    let fetchUsers = cachedBatch(key: { "user/\($0)" }) { (ids: [Int]) in try await api.users(ids) }
    for (id, result) in await fetchUsers.outcomes([2, 3, 2]) {
      switch result {
      case .success(let user?): print(id, user.name)
      case .success(nil): print(id, "does not exist")
      case .failure(let error): print(id, error)
      }
    }
    // end
    let outcomes = await fetchUsers.outcomes([2, 3, 2])
    #expect(outcomes.map(\.0) == [2, 3, 2])
    #expect(try outcomes.map { try $0.1.get()?.id } == [2, nil, 2])
  }

  @Test func `decide how each value is stored`() async throws {
    // snippet: Decide how each value is stored
    let fetchUsers = cachedBatch(key: { "user/\($0)" }) { (ids: [Int]) in
      try await api.users(ids).map { user in
        Produced(user, expiry: .minutes(5), tags: ["users"])
      }
    }
    let users = try await fetchUsers([1, 2])
    #expect(users.count == 2)
    // end
  }

  @Test func `use a mode`() async throws {
    // snippet: Use a mode
    let fetchUsers = cachedBatch(key: { "user/\($0)" }) { (ids: [Int]) in try await api.users(ids) }
    let users = try await fetchUsers([1, 2], mode: .reload)
    let known = await fetchUsers.outcomes([1, 2, 4], mode: .cacheOnly)
    // end
    #expect(users.count == 2)
    #expect(try known.prefix(2).map { try $0.1.get()?.id } == [1, 2])
    #expect(throws: CacheError.self) { try known[2].1.get() }
  }

  @Test func `limit the size of a call`() async throws {
    // snippet: Limit the size of a call
    let fetchUsers = cachedBatch(key: { "user/\($0)" }, maximumBatchSize: 100) { (ids: [Int]) in
      try await api.users(ids)
    }
    let users = try await fetchUsers(Array(1...250))
    // end
    #expect(users.count == 249)
  }

  @Test func `collect single calls`() async throws {
    // snippet: Collect single calls
    let fetchUser = cachedBatch(key: { "user/\($0)" }) { (ids: [Int]) in try await api.users(ids) }
      .batching(maximum: 100, window: .seconds(0.002))
    async let one = fetchUser(1)
    async let two = fetchUser(2)
    let names = try await [one?.name, two?.name]
    #expect(names == ["Ada", "Ada"])
    // end
  }

  @Test func `read without loading`() async throws {
    let caches = try Caches { Feature("users") { Memory() } }
    // snippet: Read without loading
    let users = try caches["users"].cache(CacheKey.self, User.self)
    let known = try await users.values(for: ["user/1", "user/2"])
    #expect(known.isEmpty)
    // end
  }
}
