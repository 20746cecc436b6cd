import CacheAsideTesting
import Testing

@testable import CacheAside

struct TombstoneTests {
  private let key = CacheKey(text: "k", namespace: Namespace("feature"))

  @Test func `a token lifts its stone and no later one`() throws {
    let stones = Tombstones()
    let first = try #require(stones.put(key, wall: 0))
    let second = try #require(stones.put(key, wall: 0))
    #expect(!stones.holds(key, token: first))
    stones.lift(key, upTo: first)
    #expect(stones.covers(key))
    #expect(stones.holds(key, token: second))
    stones.lift(key, upTo: second)
    #expect(stones.admits(key, created: 0))
    #expect(stones.put(key, wall: 0, unless: { true }) == nil)
    #expect(!stones.covers(key))
  }

  @Test func `a barrier covers the scopes of its namespace and nothing else`() {
    let stones = Tombstones()
    stones.putBarrier(Namespace("feature"), wall: 10)
    let scoped = Namespace("feature", scope: CacheScope(["user": "1"]))
    #expect(!stones.admits(key, created: 10))
    #expect(stones.admits(key, created: 11))
    #expect(!stones.admits(key.within(scoped), created: 10))
    #expect(stones.admits(key.within(Namespace("feature", version: 2)), created: 10))
    #expect(stones.admits(key.within(Namespace("features")), created: 10))
    stones.liftAll(Namespace("feature"), upTo: stones.newest)
    #expect(stones.admits(key, created: 10))
  }

  @Test func `clearing lifts what stood before it and nothing newer`() {
    let stones = Tombstones()
    stones.put(key, wall: 0)
    let mark = stones.newest
    let other = CacheKey(text: "other", namespace: Namespace("feature"))
    stones.put(other, wall: 0)
    stones.liftAll(Namespace("feature"), upTo: mark)
    #expect(!stones.covers(key))
    #expect(stones.covers(other))
  }

  @Test func `T3 a record from the future hides nothing that is written later`() async throws {
    let fixture = try TierFixture(.suspending)
    let tier = fixture.cache.core.tiers[0]
    try await fixture.cache.set(1, for: "k")
    var record = try #require(try await fixture.record())
    record.created += 86_400_000_000
    try await tier.write(record, key) { false }
    fixture.inject(.fail(EngineError.net), on: .remove)
    fixture.inject(.fail(EngineError.net), on: .removeAll)
    await #expect(throws: CacheError.self) { try await fixture.cache.removeAll() }
    fixture.heal()
    try await fixture.clock.advance(by: .seconds(1))
    try await fixture.cache.set(2, for: "k")
    fixture.cache.removeAllFromMemory()
    #expect(try await fixture.cache.value(for: "k") == 2)
  }

  @Test func `beyond the limit everything older is hidden and queued work is still done`() throws {
    let stones = Tombstones(limit: 4)
    let namespace = Namespace("feature")
    let tokens = try (0..<5).map { index in
      try #require(stones.put(CacheKey(text: "\(index)", namespace: namespace), wall: 10))
    }
    let stranger = CacheKey(text: "stranger", namespace: namespace)
    #expect(!stones.admits(stranger, created: 10))
    #expect(stones.admits(stranger, created: 11))
    for (index, token) in tokens.enumerated() {
      #expect(stones.holds(CacheKey(text: "\(index)", namespace: namespace), token: token))
    }
  }
}
