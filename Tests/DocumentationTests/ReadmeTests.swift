import CacheAside
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct ReadmeTests {
  @Test func `the first example`() async throws {
    // snippet: CacheAside
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }

    let user = try await fetchUser(42)  // runs the function and keeps its value
    let same = try await fetchUser(42)  // from memory: no suspension, no allocation
    try await fetchUser.remove(42)  // gone from every store; the next call runs the function again
    // end
    #expect(user == same)
    #expect(fetchUser.peek(42) == nil)
  }
}
