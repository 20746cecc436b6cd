import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct TierFaultTests {
  @Test(arguments: StoreKind.allCases)
  func `B088 S1 with the store down calls work, and its failures are counted and reported`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    for operation in [StoreOperation.Kind.read, .write, .remove] {
      fixture.inject(.fail(EngineError.net), on: operation)
    }
    let producer = CountingProducer<Int>.returning(5)
    #expect(try await cache.cached("k") { try await producer() } == 5)
    #expect(try await cache.cached("k") { try await producer() } == 5)
    #expect(producer.calls == 1)
    #expect(cache.statistics.tiers[1].readFailures == 1)
    #expect(cache.statistics.tiers[1].writeFailures == 1)
    #expect(fixture.kinds.contains(.readFailed))
    #expect(fixture.kinds.contains(.writeFailed))
    #expect(fixture.events.events.allSatisfy { $0.store != nil && $0.feature == "feature" })
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 a failed read is a miss that the producer answers`(kind: StoreKind) async throws {
    let fixture = try TierFixture(kind, memory: false)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .read, times: 3)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.entry(for: "k") == nil)
    #expect(try await cache.cached("k") { 2 } == 2)
    #expect(try await cache.value(for: "k") == 2)
    #expect(fixture.kinds == [.readFailed, .readFailed, .readFailed])
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 after a failed write no older value is served`(kind: StoreKind) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .write, times: 1)
    try await cache.set(2, for: "k")
    #expect(try await cache.value(for: "k") == 2)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await fixture.record() == nil)
    #expect(fixture.kinds == [.writeFailed])
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 an older value that could not be removed either is not served`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .write, times: 1)
    fixture.inject(.fail(EngineError.net), on: .remove, times: 2)
    try await cache.set(2, for: "k")
    cache.removeAllFromMemory()
    #expect(try await fixture.record() != nil)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.entries().isEmpty)
    #expect(fixture.kinds.contains(.removalFailed))
    // The store is well again: the next read takes the old record away, and the key is free.
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await fixture.record() == nil)
    try await cache.set(3, for: "k")
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `B095 S1 a removal that fails is thrown and the old value never comes back`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .remove, times: 1)
    let error = await #expect(throws: CacheError.self) { try await cache.remove("k") }
    #expect(error?.code == .removalFailed)
    #expect(error?.cause as? EngineError == .net)
    #expect(fixture.kinds == [.removalFailed])
    #expect(try await fixture.record() != nil)
    #expect(try await cache.entries().isEmpty)
    #expect(try await cache.cached("k") { 2 } == 2)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 2)
    #expect(try await fixture.record()?.payload == Array("2".utf8))
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 an expire that fails is thrown and the value is not served`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .remove, times: 2)
    let error = await #expect(throws: CacheError.self) { try await cache.expire("k") }
    #expect(error?.code == .removalFailed)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.cached("k") { 2 } == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 a clear that fails is thrown and nothing old is served`(kind: StoreKind) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    try await cache.set(1, for: "other")
    fixture.inject(.fail(EngineError.net), on: .removeAll, times: 1)
    let error = await #expect(throws: CacheError.self) { try await cache.removeAll() }
    #expect(error?.code == .removalFailed)
    #expect(try await fixture.record() != nil)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.contains("other") == false)
    #expect(try await cache.entries().isEmpty)
    try await fixture.clock.advance(by: .milliseconds(1))
    #expect(try await cache.cached("k") { 2 } == 2)
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 2)
    try await cache.removeAll()
    #expect(try await fixture.record("other") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 a clear that failed hides its records from a bulk read (M58)`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    for key in ["k", "l"] { try await cache.set(1, for: key) }
    fixture.inject(.fail(EngineError.net), on: .removeAll, times: 1)
    await #expect(throws: CacheError.self) { try await cache.removeAll() }
    for key in ["k", "l"] { #expect(try await fixture.record(key) != nil) }
    #expect(try await cache.values(for: ["k", "l"]) == [:])
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 a clear that fails covers what a wall clock set back left in the future`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    fixture.clock.setWall(fixture.clock.wallMicroseconds - 2_000_000)
    fixture.inject(.fail(EngineError.net), on: .removeAll, times: 1)
    await #expect(throws: CacheError.self) { try await cache.removeAll() }
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 under the policy fail a failed read and a failed write throw`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind, faultPolicy: .fail)
    let cache = fixture.cache
    fixture.inject(.fail(EngineError.net), on: .read, times: 2)
    var error = await #expect(throws: CacheError.self) { try await cache.cached("k") { 1 } }
    #expect(error?.code == .storeFailed)
    error = await #expect(throws: CacheError.self) { try await cache.value(for: "k") }
    #expect(error?.code == .storeFailed)
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .write, times: 1)
    error = await #expect(throws: CacheError.self) { try await cache.set(2, for: "k") }
    #expect(error?.code == .storeFailed)
    #expect(error?.cause as? EngineError == .net)
    // Neither the old value nor the one that could not be stored.
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.cached("k") { 3 } == 3)
    #expect(cache.isQuiet)
  }

  @Test(arguments: StoreKind.allCases)
  func `S1 a store that was cancelled itself has failed, its callers were not`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    fixture.inject(.fail(CancellationError()), on: .read, times: 2)
    #expect(try await fixture.cache.value(for: "k") == nil)
    #expect(try await fixture.cache.cached("k") { 1 } == 1)
    #expect(fixture.kinds == [.readFailed, .readFailed])
  }

  @Test(arguments: StoreKind.allCases)
  func `S2 a record that the codec cannot read is a miss and is removed`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    cache.removeAllFromMemory()
    fixture.inject(.garble, on: .read, times: 1)
    #expect(try await cache.value(for: "k") == nil)
    #expect(fixture.kinds == [.decodeFailed])
    #expect(fixture.events.events.map(\.key) == [CacheKey("k").within(Namespace("feature"))])
    #expect(cache.statistics.tiers[1].decodeFailures == 1)
    #expect(fixture.operations.last == .removeIfUnchanged)
    // What was read is not what is there, so the record of the other writer stays.
    #expect(try await cache.value(for: "k") == 1)
  }

  @Test(arguments: [false, true])
  func `F6 an observer may call the cache about the key that failed`(isRemoval: Bool) async throws {
    let fixture = try TierFixture(.blocking)
    let cache = fixture.cache
    let caller = Reentrant(cache: cache)
    cache.observe(caller)
    try await cache.set(1, for: "k")
    fixture.inject(.fail(EngineError.net), on: .write, times: 1)
    fixture.inject(.fail(EngineError.net), on: .remove, times: 1)
    if isRemoval {
      await #expect(throws: CacheError.self) { try await cache.remove("k") }
    } else {
      try await cache.set(2, for: "k")
    }
    #expect(caller.calls.events.count >= 1)
  }

  private struct Reentrant: CacheObserver {
    let cache: Cache<String, Int>
    let calls = EventRecorder<CacheEvent.Kind>()

    func receive(_ event: CacheEvent) {
      guard event.kind == .removalFailed, calls.events.isEmpty else { return }
      calls.record(event.kind)
      cache["k"] = nil
      cache["k"] = 5
    }
  }
}
