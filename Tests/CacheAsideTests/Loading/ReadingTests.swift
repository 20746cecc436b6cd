import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct ReadingTests {
  @Test func `a fresh entry behind an expired one is contained and shown`() async throws {
    let clock = ManualClock()
    let policy = CachePolicy(keepExpired: .hours(1))
    let cache = try Cache<String, Int>(name: "f", policy: policy, time: clock.timeSource) {
      Memory()
      Store(PlainStore(), lifetimeCap: .seconds(10))
      Store(PlainStore())
    }
    try await cache.set(1, for: "k", expiry: .minutes(1))
    cache.removeAllFromMemory()
    try await clock.advance(by: .seconds(10))
    #expect(try await cache.contains("k"))
    #expect(try await cache.entry(for: "k")?.isFresh == true)
    #expect(try await cache.value(for: "k") == 1)
    try await clock.advance(by: .seconds(50))
    #expect(try await cache.contains("k") == false)
    #expect(try await cache.entry(for: "k")?.isFresh == false)
  }

  @Test func `K4 what another form holds is contained`() async throws {
    let caches = try Caches { Feature("f") { Memory() } }
    let plain = try caches["f"].cache(String.self, Int.self)
    let optional = try caches["f"].cache(String.self, Int?.self)
    try await plain.set(1, for: "k")
    #expect(try await optional.value(for: "k") == 1)
    #expect(try await optional.contains("k"))
  }

  @Test(arguments: [false, true])
  func `removing what has expired reaches the entries of every scope`(blocking: Bool) async throws {
    let fixture = try CacheFixture(.memory)
    let policy = CachePolicy(keepExpired: .hours(1))
    let cache = try fixture.open(expiry: .seconds(10), policy: policy)
    try await cache.set(1, for: "k")
    try await Caches.withScope(["user": "a"]) { try await cache.set(2, for: "k") }
    try await fixture.clock.advance(by: .seconds(10))
    #expect(cache.statistics.entries == 2)
    let count = blocking ? cache.removeExpiredBlocking() : try await cache.removeExpired()
    #expect(count == 2)
    #expect(cache.statistics.entries == 0)
  }
}
