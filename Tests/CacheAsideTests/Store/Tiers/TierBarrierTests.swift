import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Barriers and tombstones hide what is invalidated, no more, and no longer than needed.
@Suite(.timeLimit(.minutes(60)))
struct TierBarrierTests {
  @Test func `a bulk read that began after a removal gives nothing removed (B362)`() async throws {
    let store = try ChangeBarrierTests.HoldingStore("s")
    let cache = try Cache<String, Int>(name: "f") {
      Memory()
      Store(store, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    try await cache.set(1, for: "k", tags: ["t"])
    cache.removeAllFromMemory()
    let changing = Gate()
    store.changing.withLock { $0 = changing }
    try cache.removeBlocking(.tags(anyOf: ["t"]))
    let reading = Gate()
    store.reading.withLock { $0 = reading }
    let read = Task { try await cache.values(for: ["k"]) }
    try await reading.waitForArrivals(1)
    store.reading.withLock { $0 = nil }
    store.changing.withLock { $0 = nil }
    changing.open()
    try await cache.flush()
    reading.open()
    #expect(try await read.value == [:])
    #expect(cache.peek("k") == nil)
  }

  @Test func `after many successful removals by tag the rest is served (B363)`() async throws {
    let fixture = try TierFixture(.suspending, lists: true)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    for index in 0..<200 { try cache.removeBlocking(.tags(anyOf: [CacheAside.Tag("\(index)")])) }
    try await cache.flush()
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 1)
  }

  @Test func `after many synchronous writes all are found (B363b)`() async throws {
    let fixture = try TierFixture(.suspending, lists: true)
    let cache = fixture.cache
    for index in 0..<10_500 { cache["\(index)"] = index }
    try await cache.flush()
    cache.removeAllFromMemory()
    for index in stride(from: 0, to: 10_500, by: 500) {
      #expect(try await cache.value(for: "\(index)") == index)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `scope removals that failed and were repeated leave nothing behind (B380)`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind, lists: true)
    let tier = fixture.cache.core.tiers[0]
    func scope(_ index: Int) -> TierSweep {
      let namespace = Namespace("feature", scope: ["user": "\(index)"])
      return .invalidate(StoreInvalidation(.remove, .everything, in: namespace))
    }
    try await fixture.cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .removeAll)
    for index in 0..<2_000 {
      await #expect(throws: CacheError.self) { try await tier.perform(scope(index)) }
    }
    #expect(tier.tombstones.hasFailed)
    fixture.heal()
    for index in 0..<2_000 { try await tier.perform(scope(index)) }
    await tier.queue.drain()
    #expect(!tier.tombstones.hasFailed)
    #expect(tier.tombstones.failed(keys: 1).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func
    `a failed removal by tag is repeated once the store answers, and costs others nothing (B372)`(
      kind: StoreKind
    ) async throws
  {
    let fixture = try TierFixture(kind, lists: true)
    let cache = fixture.cache
    try await cache.set(1, for: "tagged", tags: ["t"])
    try await cache.set(2, for: "plain")
    let failing: StoreOperation.Kind = kind == .blocking ? .invalidate : .scan
    fixture.inject(.fail(EngineError.net), on: failing, times: 1)
    await #expect(throws: CacheError.self) { try await cache.remove(.tags(anyOf: ["t"])) }
    #expect(try await fixture.record("tagged") != nil)
    cache.removeAllFromMemory()
    let before = fixture.operations.count { $0 == .read }
    for index in 0..<64 { cache["writer \(index)"] = index }
    #expect(try await cache.value(for: "plain") == 2)
    #expect(fixture.operations.count { $0 == .read } - before <= 2)
    #expect(try await cache.value(for: "tagged") == nil)
    try await cache.flush()
    #expect(!cache.core.tiers[0].tombstones.hasFailed)
    #expect(try await cache.value(for: "tagged") == nil)
    if kind == .suspending { #expect(try await fixture.record("tagged") == nil) }
  }

  @Test(arguments: StoreKind.allCases)
  func `a failed clear is repeated without what was stored since (B363)`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind, lists: true)
    let cache = fixture.cache
    try await cache.set(1, for: "old")
    fixture.inject(.fail(EngineError.net), on: .removeAll, times: 1)
    await #expect(throws: CacheError.self) { try await cache.removeAll() }
    try await fixture.clock.advance(by: .milliseconds(1))
    try await cache.set(2, for: "new")
    try await cache.flush()
    #expect(try await fixture.record("old") == nil)
    #expect(!cache.core.tiers[0].tombstones.hasFailed)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "new") == 2)
  }

  @Test func `what fails again is repeated after a pause (B372)`() async throws {
    let fixture = try TierFixture(.suspending, lists: true)
    let cache = fixture.cache
    try await cache.set(1, for: "k", tags: ["t"])
    try await cache.set(2, for: "plain")
    fixture.inject(.fail(EngineError.net), on: .scan, times: 2)
    await #expect(throws: CacheError.self) { try await cache.remove(.tags(anyOf: ["t"])) }
    func read() async throws {
      cache.removeAllFromMemory()
      #expect(try await cache.value(for: "plain") == 2)
      try await cache.flush()
    }
    try await read()
    try await read()
    #expect(cache.core.tiers[0].tombstones.hasFailed)
    try await fixture.clock.advance(by: .seconds(1))
    try await read()
    #expect(!cache.core.tiers[0].tombstones.hasFailed)
    #expect(try await fixture.record("k") == nil)
  }

  @Test func `a removal that met an expired barrier waits for no other key (B372)`() async throws {
    let fixture = try TierFixture(.suspending, lists: true)
    let cache = fixture.cache
    fixture.inject(.fail(EngineError.net), on: .remove, times: 1)
    try await cache.set(1, for: "k")
    await #expect(throws: CacheError.self) { try await cache.remove("k") }
    try await cache.set(2, for: "other")
    try await cache.flush()
    #expect(try await fixture.record() == nil)
    #expect(!cache.core.tiers[0].tombstones.hasFailed)
  }
}
