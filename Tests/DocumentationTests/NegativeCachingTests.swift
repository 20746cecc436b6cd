import CacheAside
import CacheAsideTesting
import Foundation
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct NegativeCachingTests {
  @Test func `remember that there is nothing`() async throws {
    // snippet: Remember that there is nothing
    let clock = ManualClock()
    let users = try Caches.inMemory(time: clock.timeSource)["users"]
    let table = CountingProducer<User?> { run in run == 1 ? nil : User(id: 42, name: "Ada") }
    var policy = CachePolicy(expiry: .hours(1))
    policy.negativeExpiry = .seconds(10)
    let find = users.cached("user by name", policy: policy) { (name: String) in try await table() }

    #expect(try await find("Ada") == nil)
    #expect(try await find("Ada") == nil)  // not asked again
    #expect(table.calls == 1)
    try await clock.advance(by: .seconds(10))
    #expect(try await find("Ada") == User(id: 42, name: "Ada"))  // and good for an hour
    // end
    try await clock.advance(by: .seconds(3_599))
    #expect(try await find("Ada")?.id == 42)
    #expect(table.calls == 2)
  }

  @Test func `remember errors`() async throws {
    // snippet: Remember errors
    struct NoSuchUser: Error {}

    let clock = ManualClock()
    let users = try Caches.inMemory(time: clock.timeSource)["users"]
    let source = CountingProducer<User> { _ in throw NoSuchUser() }
    let policy = CachePolicy(expiry: .hours(1))
      .cachingErrors(of: NoSuchUser.self, for: .seconds(10))
    let fetchUser = users.cached("user", policy: policy) { (id: Int) in try await source() }

    for _ in 1...3 { await #expect(throws: NoSuchUser.self) { try await fetchUser(42) } }
    #expect(source.calls == 1)
    try await clock.advance(by: .seconds(10))
    await #expect(throws: NoSuchUser.self) { try await fetchUser(42) }
    #expect(source.calls == 2)
    // end
  }
}
