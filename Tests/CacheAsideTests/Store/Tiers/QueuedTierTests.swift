import CacheAsideTesting
import Testing

@testable import CacheAside

/// Synchronous calls over a store that suspends.
@Suite(.timeLimit(.minutes(60)))
struct QueuedTierTests {
  @Test func `a synchronous write reaches the store, and flush waits for it`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    cache["k"] = 1
    #expect(cache.peek("k") == 1)
    let flushed = EventRecorder<Bool>()
    let flush = Task {
      try await cache.flush()
      flushed.record(true)
    }
    try await gate.waitForArrivals(1)
    #expect(flushed.events.isEmpty)
    gate.open()
    try await flush.value
    #expect(try await fixture.record()?.payload == Array("1".utf8))
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 1)
  }

  @Test func `until a queued write is done nothing older is read`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    cache["k"] = 2
    try await gate.waitForArrivals(1)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.entry(for: "k") == nil)
    gate.open()
    try await cache.flush()
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test func `until a queued removal is done nothing is read`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    try await cache.set(1, for: "other")
    let gate = Gate()
    fixture.inject(.delay(gate), on: .remove, times: 1)
    cache["k"] = nil
    try await gate.waitForArrivals(1)
    #expect(try await cache.value(for: "k") == nil)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "other") == 1)
    gate.open()
    try await cache.flush()
    #expect(try await fixture.record() == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `queued calls of one key take effect in their order`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    cache["first"] = 1
    try await gate.waitForArrivals(1)
    cache["k"] = 1
    cache["k"] = nil
    cache["k"] = 2
    cache["gone"] = 1
    cache["gone"] = nil
    gate.open()
    try await cache.flush()
    #expect(try await fixture.record()?.payload == Array("2".utf8))
    #expect(try await fixture.record("gone") == nil)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 2)
    #expect(try await cache.value(for: "gone") == nil)
  }

  @Test func `a queued clear takes what came before it and spares what came after`()
    async throws
  {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    try await cache.set(1, for: "stored")
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    cache["first"] = 1
    try await gate.waitForArrivals(1)
    cache["before"] = 1
    try cache.removeAllBlocking()
    cache["after"] = 2
    #expect(try await cache.value(for: "stored") == nil)
    gate.open()
    try await cache.flush()
    cache.removeAllFromMemory()
    for key in ["stored", "first", "before"] {
      #expect(try await fixture.record(key) == nil)
      #expect(try await cache.value(for: key) == nil)
    }
    #expect(try await cache.value(for: "after") == 2)
  }

  @Test(arguments: [0, 1, 2])
  func `a suspending invalidation comes after a queued write`(verb: Int) async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    cache["k"] = 1
    try await gate.waitForArrivals(1)
    cache["k"] = 2
    let invalidation = Task {
      switch verb {
      case 0: try await cache.remove("k")
      case 1: try await cache.expire("k")
      default: try await cache.removeAll()
      }
    }
    await until { cache.peek("k") == nil }
    gate.open()
    try await invalidation.value
    #expect(try await fixture.record() == nil)
    #expect(try await cache.value(for: "k") == nil)
    try await cache.set(3, for: "k")
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 3)
  }

  @Test func `S3 a removal during a load's write is not undone by the write`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    let load = Task { try await cache.cached("k") { 1 } }
    try await gate.waitForArrivals(1)
    cache["k"] = nil
    #expect(try await cache.value(for: "k") == nil)
    gate.open()
    #expect(try await load.value == 1)
    try await cache.flush()
    #expect(try await fixture.record() == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `S1 a queued write that fails is an event and leaves nothing older`() async throws {
    let fixture = try TierFixture(.suspending)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .write, times: 1)
    cache["k"] = 2
    try await cache.flush()
    #expect(fixture.kinds == [.writeFailed])
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.cached("k") { 3 } == 3)
  }

  @Test func `flushing reaches every store and throws the first failure`() async throws {
    let stores = (0..<2).map { _ in FaultInjectingStore(RecordingStore(PlainStore())) }
    let cache = try Cache<String, Int>(name: "f") {
      Memory()
      Store(stores[0])
      Store(stores[1])
    }
    stores[0].inject(.fail(EngineError.net), on: .flush)
    await #expect(throws: EngineError.net) { try await cache.flush() }
    #expect(stores[1].operations.map(\.kind) == [.flush])
  }

  @Test func `a synchronous read passes a suspending store over`() async throws {
    let fixture = try TierFixture(.suspending)
    try await fixture.cache.set(1, for: "k")
    fixture.cache.removeAllFromMemory()
    #expect(fixture.cache["k"] == nil)
    #expect(fixture.cache.object(forKey: "k") == nil)
    #expect(try await fixture.cache.value(for: "k") == 1)
    #expect(fixture.cache["k"] == 1)
  }
}
