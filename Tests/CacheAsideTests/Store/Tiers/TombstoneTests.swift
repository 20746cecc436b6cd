import CacheAsideTesting
import Testing

@testable import CacheAside

struct TombstoneTests {
  private let key = CacheKey(text: "k", namespace: Namespace("feature"))

  private func record(_ created: Int64) -> CacheEntry {
    CacheEntry(payload: nil, codec: .raw, type: 0, created: created)
  }

  @Test func `a token lifts its stone and no later one`() throws {
    let stones = Tombstones()
    let first = try #require(stones.put(key, wall: 0))
    let second = try #require(stones.put(key, wall: 0))
    #expect(!stones.has(.token(first), key))
    stones.lift(key, upTo: first)
    #expect(stones.covers(key))
    #expect(stones.has(.token(second), key))
    stones.lift(key, upTo: second)
    #expect(stones.admits(key, record(0), 1_000))
    #expect(stones.put(key, wall: 0, unless: { true }) == nil)
    #expect(!stones.covers(key))
  }

  @Test func `a barrier covers the scopes of its namespace and nothing else`() {
    let stones = Tombstones()
    stones.putBarrier(.clear(Namespace("feature")), wall: 10)
    let scoped = Namespace("feature", scope: CacheScope(["user": "1"]))
    #expect(!stones.admits(key, record(10), 1_000))
    #expect(stones.admits(key, record(11), 1_000))
    #expect(!stones.admits(key.within(scoped), record(10), 1_000))
    #expect(stones.admits(key.within(Namespace("feature", version: 2)), record(10), 1_000))
    #expect(stones.admits(key.within(Namespace("features")), record(10), 1_000))
    stones.lift(.clear(Namespace("feature")), upTo: stones.newest)
    #expect(stones.admits(key, record(10), 1_000))
  }

  @Test func `clearing lifts what stood before it and nothing newer`() {
    let stones = Tombstones()
    stones.put(key, wall: 0)
    let mark = stones.newest
    let other = CacheKey(text: "other", namespace: Namespace("feature"))
    stones.put(other, wall: 0)
    stones.lift(.clear(Namespace("feature")), upTo: mark)
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

  @Test(arguments: [false, true])
  func `a record from the future does not come back when its removal has failed`(
    byTag: Bool
  ) async throws {
    let fixture = try TierFixture(.suspending, lists: true, memory: false)
    let cache = fixture.cache
    let tier = cache.core.tiers[0]
    try await cache.set(1, for: "k", tags: ["t"])
    var record = try #require(try await fixture.record())
    record.created += 86_400_000_000
    try await tier.write(record, key) { false }
    #expect(try await cache.entry(for: "k")?.value == 1)
    fixture.inject(.fail(EngineError.net), on: .remove, times: 2)
    await #expect(throws: CacheError.self) {
      if byTag { try await cache.remove(.tag("t")) } else { try await cache.remove("k") }
    }
    #expect(try await cache.entry(for: "k")?.value == nil)
    try await fixture.clock.advance(by: .seconds(61))
    #expect(try await cache.entry(for: "k")?.value == nil)
    try await cache.flush()
    #expect(try await fixture.record() == nil)
  }

  @Test func `beyond the limit of failed removals everything older is hidden until it is removed`()
    throws
  {
    let stones = Tombstones(limit: 4)
    let namespace = Namespace("feature")
    for index in 0..<5 { stones.put(CacheKey(text: "\(index)", namespace: namespace), wall: 10) }
    let stranger = CacheKey(text: "stranger", namespace: namespace)
    #expect(!stones.admits(stranger, record(10), 1_000))
    #expect(stones.admits(stranger, record(11), 1_000))
    stones.lift(.clear(namespace), upTo: stones.newest)
    #expect(stones.admits(stranger, record(10), 1_000))
    #expect(!stones.hasFailed)
  }

  @Test func `queued work keeps its stones, however many (B363b)`() throws {
    let stones = Tombstones(limit: 4)
    let keys = (0..<50).map { CacheKey(text: "\($0)", namespace: Namespace("feature")) }
    let tokens = try keys.map { try #require(stones.put($0, wall: 10, isQueued: true)) }
    #expect(stones.admits(key, record(10), 1_000))
    for (key, token) in zip(keys, tokens) {
      #expect(stones.has(.token(token), key))
      stones.lift(key, upTo: token, .token(token))
      #expect(stones.admits(key, record(10), 1_000))
    }
  }

  @Test func `the stone of a held key is lifted only after its release (B392)`() {
    let stones = Tombstones()
    stones.hold(key, wall: 0)
    stones.lift(key, upTo: stones.newest)
    stones.lift(.clear(Namespace("feature")), upTo: stones.newest)
    #expect(stones.covers(key))
    stones.release(key)
    #expect(stones.covers(key))
    stones.lift(key, upTo: stones.newest)
    #expect(!stones.covers(key))
  }
}
