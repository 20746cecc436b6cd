import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A store that does not answer holds nobody up for longer than its deadlines.
@Suite(.timeLimit(.minutes(60)))
struct StoreDeadlineTests {
  private let key = CacheKey(text: "k", namespace: Namespace("feature"))

  @Test(arguments: [false, true])
  func `a read that hangs is a miss and an event after 250 ms (B392)`(isBulk: Bool) async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    cache.removeAllFromMemory()
    let gate = Gate()
    fixture.inject(.delay(gate), on: .read, times: 1)
    let read = Task {
      isBulk
        ? try await cache.values(for: ["k", "l"])["k"] : try await cache.cached("k") { 2 }
    }
    try await gate.waitForArrivals(1)
    try await fixture.clock.advance(by: .milliseconds(260))
    #expect(try await read.value == (isBulk ? nil : 2))
    #expect(fixture.kinds.contains(.readFailed))
    #expect(cache.statistics.tiers[1].readFailures == 1)
    gate.open()
  }

  @Test func `a write that hangs has failed after a second and serves nothing older (B392)`()
    async throws
  {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    let tier = cache.core.tiers[0]
    try await cache.set(1, for: "k")
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    let write = Task { try await cache.set(2, for: "k") }
    try await gate.waitForArrivals(1)
    try await fixture.clock.advance(by: .seconds(1))
    try await write.value
    #expect(cache.peek("k") == 2)
    #expect(fixture.kinds.contains(.writeFailed))
    #expect(cache.statistics.tiers[1].writeFailures == 1)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == nil)
    // A removal cannot be acknowledged before the older write has ended.
    let error = await #expect(throws: CacheError.self) { try await cache.remove("k") }
    #expect(error?.code == .removalFailed)
    // Neighbours pass, those behind the same gate as well.
    let twin = try #require(
      (0...).lazy.map { "n\($0)" }.first {
        CacheKey(text: $0, namespace: Namespace("feature")).stripe & 63 == key.stripe & 63
      }
    )
    try await cache.set(3, for: twin)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: twin) == 3)
    gate.open()
    while tier.tombstones.isHeld(key) { await Task.yield() }
    try await cache.flush()
    #expect(try await fixture.record() == nil)
    #expect(!tier.tombstones.covers(key))
    try await cache.set(4, for: "k")
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 4)
    #expect(tier.operations.count == 0)
  }

  @Test func `a removal that hangs fails after a second and hides its key (B392)`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    let gate = Gate()
    fixture.inject(.delay(gate), on: .remove, times: 1)
    let removal = Task { try await cache.remove("k") }
    try await gate.waitForArrivals(1)
    try await fixture.clock.advance(by: .seconds(1))
    await #expect(throws: CacheError.self) { try await removal.value }
    #expect(try await cache.value(for: "k") == nil)
    gate.open()
    try await cache.flush()
    #expect(try await fixture.record() == nil)
  }

  @Test func `those who wait behind a write that hangs are given up in time (B392)`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write)
    let writes = (0..<8).map { index in Task { try await cache.set(index, for: "k\(index)") } }
    let behind = Task { try await cache.set(9, for: "k0") }
    try await gate.waitForArrivals(8)
    try await fixture.clock.advance(by: .seconds(1))
    for write in writes { try await write.value }
    try await behind.value
    #expect(fixture.clock.elapsed <= .seconds(2))
    gate.open()
    fixture.heal()
    try await cache.flush()
  }

  @Test func `queued work that hangs is given up and the queue goes on (B392)`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    cache["k"] = 1
    cache["l"] = 2
    try await gate.waitForArrivals(1)
    let flushing = Task { try await cache.flush() }
    try await fixture.clock.advance(by: .seconds(1))
    try await flushing.value
    #expect(try await fixture.record("l") != nil)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == nil)
    gate.open()
  }

  @Test func `the deadlines of a store are configured, and a file has none (B392)`() async throws {
    let fixture = try TierFixture(.blocking)
    #expect(fixture.cache.core.tiers[0].deadlines.read == nil)
    #expect(fixture.cache.core.tiers[0].deadlines.write == nil)
    let cache = try Cache<String, Int>(name: "feature") {
      Store(PlainStore(), readDeadline: .seconds(1), writeDeadline: .unlimited)
    }
    let deadlines = cache.core.tiers[0].deadlines
    #expect(deadlines.read == 1_000_000_000)
    #expect(deadlines.write == nil)
    #expect(deadlines.limit(.read, count: 101) == 2_000_000_000)
    #expect(deadlines.limit(.clear, count: 1) == nil)
  }
}
