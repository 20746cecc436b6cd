import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct InvalidationTests {
  @Test(arguments: Setup.allCases, [true, false])
  func `B013 F4 a load that began before the removal is never stored`(
    setup: Setup,
    oldEndsFirst: Bool
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .seconds(60))
    let old = GatedProducer<Int>()
    let new = GatedProducer<Int>()
    let first = call(cache, old)
    try await old.waitForRuns(1)
    try await cache.remove("k")
    let second = call(cache, new)
    try await new.waitForRuns(1)
    if oldEndsFirst {
      old.release(1)
      #expect(try await first.value == 1)
      #expect(try await fixture.isEmpty(cache))
      new.release(2)
      #expect(try await second.value == 2)
    } else {
      new.release(2)
      #expect(try await second.value == 2)
      old.release(1)
      #expect(try await first.value == 1)
    }
    #expect(try await cache.value(for: "k") == 2)
    #expect(try await fixture.open().value(for: "k") == (setup == .memory ? nil : 2))
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `B015 F4 removing everything reaches the loads that are going on`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    try await cache.set(3, for: "c")
    let calls = ["a", "b"].map { call(cache, producer, key: $0) }
    try await producer.waitForRuns(2)
    try await cache.removeAll()
    producer.release(1)
    producer.release(1)
    for call in calls { #expect(try await call.value == 1) }
    for key in ["a", "b", "c"] { #expect(try await fixture.isEmpty(cache, key)) }
    #expect(cache.count == 0)
    producer.release(4)
    #expect(try await cache.cached("a") { try await producer() } == 4)
  }

  @Test(arguments: Setup.allCases)
  func `B016 clearing and setting follow each other by order, not by time`(
    setup: Setup
  ) async throws {
    let cache = try CacheFixture(setup).open()
    for round in 1...20 {
      try await cache.set(round, for: "k")
      try await cache.removeAll()
      #expect(try await cache.value(for: "k") == nil)
      try await cache.set(-round, for: "k")
      #expect(try await cache.value(for: "k") == -round)
    }
    try cache.removeAllBlocking()
    #expect(cache["k"] == nil)
    cache["k"] = 7
    try await cache.flush()
    #expect(try await cache.value(for: "k") == 7)
  }

  @Test(arguments: Setup.allCases, [true, false])
  func `B017 F4 a reload does not join an older load`(
    setup: Setup,
    oldEndsFirst: Bool
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(String.self)
    let old = GatedProducer<String>()
    let new = GatedProducer<String>()
    let first = call(cache, old)
    try await old.waitForRuns(1)
    let reload = Task { try await cache.refresh("k") { try await new() } }
    try await new.waitForRuns(1)
    if oldEndsFirst { old.release("old") }
    if oldEndsFirst { #expect(try await first.value == "old") }
    new.release("new")
    #expect(try await reload.value == "new")
    if !oldEndsFirst { old.release("old") }
    #expect(try await first.value == "old")
    #expect(try await cache.value(for: "k") == "new")
    if setup != .memory { #expect(try await fixture.open(String.self).value(for: "k") == "new") }
  }

  @Test(arguments: [Setup.memory, .memoryAndDisk])
  func `B018 S5 a value over the limit removes the older one`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(String.self, limits: .cost(100), cost: { $0.utf8.count })
    let new = String(repeating: "n", count: 500)
    try await cache.set("old value ", for: "k")
    #expect(cache.peek("k") == "old value ")
    try await cache.set(new, for: "k")
    #expect(cache.peek("k") == nil)
    #expect(cache.totalCost == 0)
    #expect(try await cache.value(for: "k") == (setup == .memory ? nil : new))
    #expect(cache.peek("k") == nil)
    #expect(cache.statistics.rejected >= 1)
  }

  @Test(arguments: Setup.allCases)
  func `B020 after a clear a failing producer throws and no record is left`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      expiry: .seconds(1),
      policy: CachePolicy(keepExpired: .hours(1))
    )
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(10))
    #expect(try await cache.entry(for: "k")?.value == 1)
    try await cache.removeAll()
    await #expect(throws: EngineError.boom) {
      try await cache.cached("k") { () async throws -> Int in throw EngineError.boom }
    }
    #expect(try await fixture.isEmpty(cache))
  }

  @Test(arguments: Setup.allCases)
  func `F4 a reload whose lifetime is zero leaves nothing older behind`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    #expect(try await cache.refresh("k", expiry: .seconds(0)) { 2 } == 2)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await fixture.isEmpty(cache))
  }

  @Test(arguments: Setup.allCases, [false, true])
  func `removal from memory leaves stores and loads alone`(
    setup: Setup,
    ofAll: Bool
  ) async throws {
    let cache = try CacheFixture(setup).open()
    let remove = { (key: String) in
      if ofAll { cache.removeAllFromMemory() } else { cache.removeFromMemory(key) }
    }
    try await cache.set(1, for: "k")
    remove("k")
    #expect(cache.peek("k") == nil)
    #expect(try await cache.value(for: "k") == (setup == .memory ? nil : 1))
    let producer = GatedProducer<Int>()
    let before = call(cache, producer, key: "load")
    try await producer.waitForRuns(1)
    remove("load")
    let after = call(cache, producer, key: "load")
    await cache.waiters(2)
    producer.release(2)
    #expect(try await before.value == 2)
    #expect(try await after.value == 2)
    #expect(try await cache.value(for: "load") == 2)
    #expect(producer.calls == 1)
  }

  @Test(arguments: Setup.allCases, [false, true])
  func `F4 a write that a removal by tag overtakes leaves neither its value nor the older one`(
    setup: Setup,
    blocking: Bool
  ) async throws {
    let fixture = try CacheFixture(setup)
    let core = Lock<FeatureCore?>(nil)
    // The cost is asked for when the slower stores have the value and memory has not.
    let cache = try fixture.open(Int.self) { value in
      if value == 2 {
        core.withLock { $0 }?.mark(
          StoreInvalidation(.remove, .anyOf(["t"]), in: Namespace("feature")),
          nil
        )
      }
      return 1
    }
    core.withLock { $0 = cache.core }
    try await cache.set(1, for: "k")
    if blocking {
      try cache.setBlocking(2, for: "k", tags: ["t"])
    } else {
      try await cache.set(2, for: "k", tags: ["t"])
    }
    try await cache.flush()
    #expect(try await fixture.isEmpty(cache))
    #expect(cache.isQuiet)
  }
}
