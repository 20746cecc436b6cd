import CacheAsideTesting
import Testing

@testable import CacheAside

/// What hides a key while a change is queued goes with that change, not with an older one.
@Suite(.timeLimit(.minutes(60)))
struct NewerStoneTests {
  @Test func `the end of a queued write shows nothing that was removed after it`() async throws {
    let fixture = try TierFixture(.suspending, memory: false)
    let cache = fixture.cache
    let writing = Gate()
    let removing = Gate()
    fixture.inject(.delay(writing), on: .write, times: 1)
    fixture.inject(.delay(removing), on: .remove, times: 1)
    cache["k"] = 1
    try await writing.waitForArrivals(1)
    cache["k"] = nil
    writing.open()
    try await removing.waitForArrivals(1)
    #expect(try await fixture.record() != nil)
    #expect(try await cache.value(for: "k") == nil)
    removing.open()
    try await cache.flush()
    #expect(try await fixture.record() == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `the repetition of a failed sweep leaves a write that is queued behind it`()
    async throws
  {
    let fixture = try TierFixture(.suspending, lists: true, memory: false)
    let cache = fixture.cache
    try await cache.set(1, for: "k", tags: ["t"])
    fixture.inject(.fail(EngineError.net), on: .remove)
    await #expect(throws: CacheError.self) { try await cache.remove(.tag("t")) }
    fixture.heal()
    let gate = Gate()
    fixture.inject(.delay(gate), on: .scan, times: 1)
    #expect(try await cache.value(for: "other") == nil)
    try await gate.waitForArrivals(1)
    cache["k"] = 2
    gate.open()
    try await cache.flush()
    #expect(try await cache.value(for: "k") == 2)
    #expect(!cache.core.tiers[0].tombstones.hasFailed)
  }

  @Test func `an older removal that fails leaves a write that was queued meanwhile`() async throws {
    let fixture = try TierFixture(.suspending, memory: false)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    let gate = Gate()
    fixture.inject(.delay(gate), on: .remove, times: 1)
    fixture.inject(.fail(EngineError.net), on: .remove, times: 1)
    let removal = Task { try await cache.remove("k") }
    try await gate.waitForArrivals(1)
    cache["k"] = 2
    gate.open()
    await #expect(throws: CacheError.self) { try await removal.value }
    try await cache.flush()
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test func `a removal that is given up while it waits for the queue takes what it waits for`()
    async throws
  {
    let fixture = try TierFixture(.suspending, memory: false)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 2)
    cache["first"] = 1
    try await gate.waitForArrivals(1)
    cache["second"] = 1
    cache["k"] = 1
    try await fixture.clock.advance(by: .milliseconds(500))
    let removal = Task { try await cache.remove("k") }
    await until { cache.core.tiers[0].queue.waiterCount == 1 }
    cache["l"] = 1
    // The first write is given up, then the removal, while the second write hangs.
    try await fixture.clock.advance(by: .milliseconds(500))
    try await gate.waitForArrivals(2)
    try await fixture.clock.advance(by: .milliseconds(500))
    await #expect(throws: CacheError.self) { try await removal.value }
    gate.open()
    try await cache.flush()
    #expect(try await fixture.record() == nil)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.value(for: "l") == 1)
  }

  @Test func `a write that was given up leaves one that is queued behind it`() async throws {
    let fixture = try TierFixture(.suspending, memory: false)
    let cache = fixture.cache
    let key = CacheKey(text: "k", namespace: Namespace("feature"))
    let tombstones = cache.core.tiers[0].tombstones
    let first = Gate()
    let queue = Gate()
    fixture.inject(.delay(first), on: .write, times: 1)
    let write = Task { try await cache.set(1, for: "k") }
    try await first.waitForArrivals(1)
    try await fixture.clock.advance(by: .milliseconds(500))
    fixture.inject(.delay(queue), on: .write, times: 1)
    cache["first"] = 1
    try await queue.waitForArrivals(1)
    cache["k"] = 2
    try await fixture.clock.advance(by: .milliseconds(500))
    try await write.value
    #expect(tombstones.isHeld(key))
    #expect(try await cache.value(for: "k") == nil)
    first.open()
    await until { !tombstones.isHeld(key) }
    queue.open()
    try await cache.flush()
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test func `a queued write that fails and leaves nothing older hides no later one`() async throws
  {
    let fixture = try TierFixture(.suspending, memory: false)
    let cache = fixture.cache
    fixture.inject(.fail(EngineError.net), on: .write, times: 1)
    cache["k"] = 1
    try await cache.flush()
    let key = CacheKey(text: "k", namespace: Namespace("feature"))
    #expect(!cache.core.tiers[0].tombstones.covers(key))
    try await cache.set(2, for: "k")
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test(arguments: [false, true])
  func `a synchronous removal that cannot be queued says so and is repeated`(all: Bool) async throws
  {
    let fixture = try TierFixture(.suspending, lists: true, memory: false)
    let cache = fixture.cache
    let tier = cache.core.tiers[0]
    try await cache.set(1, for: "k")
    // As many calls as may be late have not ended.
    let late = try (0..<1_024).map { _ in try tier.operations.begin(.read, within: 1) }
    try await fixture.clock.advance(by: .milliseconds(100))
    let error = #expect(throws: CacheError.self) {
      if all { try cache.removeAllBlocking() } else { try cache.removeBlocking("k") }
    }
    #expect(error?.code == .removalFailed)
    #expect(fixture.kinds == [.removalFailed])
    let flushing = await #expect(throws: CacheError.self) { try await cache.flush() }
    #expect(flushing?.code == .storeFailed)
    for operation in late { tier.operations.end(operation) }
    #expect(try await fixture.record() != nil)
    #expect(try await cache.value(for: "k") == nil)
    try await cache.flush()
    #expect(try await fixture.record() == nil)
  }

  @Test func `flushing a closed cache that has a store says that it is closed`() async throws {
    let fixture = try TierFixture(.suspending)
    try await fixture.cache.close()
    let error = await #expect(throws: CacheError.self) { try await fixture.cache.flush() }
    #expect(error?.code == .closed)
  }

  @Test func `a failed removal of everything that cannot be listed takes nothing newer`()
    async throws
  {
    let fixture = try TierFixture(.suspending, memory: false)
    let cache = fixture.cache
    fixture.inject(.fail(EngineError.net), on: .removeAll, times: 1)
    let scope = Namespace("feature", scope: CacheScope(["user": "1"]))
    let sweep = TierSweep.invalidate(StoreInvalidation(.remove, .everything, in: scope))
    await #expect(throws: CacheError.self) { try await cache.core.tiers[0].perform(sweep) }
    fixture.inject(.fail(EngineError.net), on: .remove, times: 1)
    await #expect(throws: CacheError.self) { try await cache.remove("k") }
    try await fixture.clock.advance(by: .seconds(61))
    let key = CacheKey(text: "newer", namespace: scope)
    let newer = CacheEntry(
      payload: [1],
      codec: .raw,
      type: 0,
      created: fixture.clock.timeSource.wall
    )
    try await cache.core.tiers[0].write(newer, key) { false }
    _ = try await cache.value(for: "other")
    try await cache.flush()
    #expect(try await cache.core.tiers[0].read(key) != nil)
    #expect(!cache.core.tiers[0].tombstones.covers(CacheKey("k").within(Namespace("feature"))))
  }

  @Test func `a repetition that fails keeps no other from being repeated`() async throws {
    let fixture = try TierFixture(.suspending, lists: true, memory: false)
    let cache = fixture.cache
    for key in ["a", "b"] { try await cache.set(1, for: key, tags: [CacheAside.Tag(key)]) }
    fixture.inject(.fail(EngineError.net), on: .remove, times: 2)
    for key in ["a", "b"] {
      await #expect(throws: CacheError.self) {
        try await cache.remove(.tag(CacheAside.Tag(key)))
      }
    }
    try await fixture.clock.advance(by: .seconds(61))
    fixture.inject(.fail(EngineError.net), on: .remove, times: 1)
    _ = try await cache.value(for: "other")
    try await cache.flush()
    let left = [try await fixture.record("a"), try await fixture.record("b")]
    #expect(left.compactMap { $0 }.count == 1)
  }

  @Test func `a listing beside many repetitions leaves nothing out`() async throws {
    let fixture = try TierFixture(.suspending, lists: true, memory: false)
    let cache = fixture.cache
    let tier = cache.core.tiers[0]
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .scan)
    // More than are remembered one by one once they are repeated.
    for number in 0..<70 {
      await #expect(throws: CacheError.self) {
        try await cache.remove(.tag(CacheAside.Tag("\(number)")))
      }
    }
    fixture.heal()
    let gate = Gate()
    fixture.inject(.delay(gate), on: .scan, times: 1)
    let listing = Task { try await cache.entries() }
    try await gate.waitForArrivals(1)
    #expect(try await cache.value(for: "other") == nil)
    await until { !tier.tombstones.hasFailed }
    gate.open()
    #expect(try await listing.value.count == 1)
  }

  @Test func `what a hung write holds is not repeated with every answer`() {
    let stones = Tombstones()
    let key = CacheKey(text: "k", namespace: Namespace("feature"))
    stones.hold(key, wall: 0)
    #expect(!stones.hasFailed)
    stones.release(key)
    #expect(stones.hasFailed)
    stones.lift(key, upTo: stones.newest)
    #expect(!stones.hasFailed)
  }

  @Test func `the stone of queued work goes with that work alone`() throws {
    let stones = Tombstones()
    let namespace = Namespace("feature")
    let key = CacheKey(text: "k", namespace: namespace)
    let token = try #require(stones.put(key, wall: 0, isQueued: true))
    stones.lift(.clear(namespace), upTo: stones.newest)
    stones.lift(key, upTo: stones.newest)
    #expect(stones.has(.token(token), key))
    #expect(stones.put(key, wall: 0, replacing: token - 1) == nil)
    #expect(stones.has(.token(token), key))
    stones.hold(key, wall: 0)
    stones.release(key)
    stones.lift(key, upTo: token, .token(token))
    #expect(!stones.covers(key))
  }
}
