import Testing

@testable import CacheAside
@testable import CacheAsideTesting

@Suite(.timeLimit(.minutes(60)))
struct EndOfLifeTests {
  @Test(arguments: Setup.allCases)
  func `after close every call goes to its producer and nothing is stored`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    let gated = GatedProducer<Int>()
    let running = call(cache, gated, key: "running")
    try await gated.waitForRuns(1)
    try await cache.close()
    gated.release(5)
    #expect(try await running.value == 5)
    #expect(try await fixture.record("running") == nil)
    let producer = CountingProducer<Int> { $0 + 10 }
    #expect(try await cache.cached("k") { try await producer() } == 11)
    #expect(try await cache.cached("k") { try await producer() } == 12)
    await #expect(throws: CacheError.self) { try await cache.set(2, for: "k") }
    cache["other"] = 2
    let answers = EventRecorder<Int?>()
    for value in [20, 21] {
      cache.load("called", block: { success, _ in success(value, .never) }) {
        answers.record(try? $0.get().value)
      }
    }
    #expect(answers.events == [20, 21])
    #expect(cache["k"] == nil)
    await #expect(throws: CacheError.self) { try await cache.value(for: "called") }
    #expect(cache.peek("called") == nil)
    #expect(cache.count == 0)
    #expect(try await fixture.record("called") == nil)
    #expect(try await fixture.record("other") == nil)
    #expect(cache.isQuiet)
  }

  @Test func `no timer is left when only values without an end are left`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    try await cache.set(1, for: "lasting")
    for _ in 0..<2 {
      try await cache.set(2, for: "short", expiry: .seconds(5))
      try await fixture.clock.advance(by: .seconds(4))
      #expect(fixture.clock.pendingSleeps == 1)
      try await fixture.clock.advance(by: .seconds(3))
      #expect(fixture.clock.pendingSleeps == 0)
      #expect(cache.count == 1)
    }
    #expect(cache["lasting"] == 1)
  }

  @Test func `B085 when everything has expired no timer is left`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    var random = SplitMix64(seed: 1)
    for step in 0..<600 {
      let key = "\(random.next() % 400)"
      switch random.next() % 4 {
      case 0: try await cache.remove(key)
      case 1: cache[key] = step
      default: try await cache.set(step, for: key, expiry: .seconds(5))
      }
      if case let value? = cache.peek(key), value == step {
        try await cache.set(step, for: key, expiry: .seconds(5))
      }
      if step % 20 == 0 { try await fixture.clock.advance(by: .milliseconds(100)) }
    }
    try await fixture.clock.settle()
    #expect(fixture.clock.pendingSleeps == 1)
    for _ in 0..<100 { try await fixture.clock.advance(by: .milliseconds(100)) }
    #expect(cache.count == 0)
    #expect(cache.totalCost == 0)
    #expect(fixture.clock.pendingSleeps == 0)
    // And it starts again.
    try await cache.set(1, for: "k", expiry: .seconds(2))
    try await fixture.clock.settle()
    #expect(fixture.clock.pendingSleeps == 1)
    try await fixture.clock.advance(by: .seconds(5))
    #expect(cache.count == 0)
    #expect(fixture.clock.pendingSleeps == 0)
  }

  @Test func `entries without an end need no timer`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    try await cache.set(2, for: "zero", expiry: .seconds(0))
    try await fixture.clock.settle()
    #expect(fixture.clock.pendingSleeps == 0)
  }

  @Test(arguments: Setup.allCases)
  func `at the end of time values expire and nothing waits any more`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .milliseconds(50))
    let rest = Int64.max - fixture.clock.monotonicNanoseconds
    try await fixture.clock.sleepMachine(for: .nanoseconds(rest - 200_000_000))
    #expect(try await cache.cached("k") { 1 } == 1)
    #expect(try await cache.value(for: "k") == 1)
    try await fixture.clock.advance(by: .milliseconds(50))
    #expect(try await cache.value(for: "k") == nil)
    try await fixture.clock.advance(by: .seconds(1))
    #expect(try await cache.cached("k") { 2 } == 2)
    #expect(fixture.clock.pendingSleeps == 0)
  }

  @Test(arguments: Setup.allCases)
  func `a cache is freed after loads, failures, cancellations and sweeps`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    weak var freed: Cache<String, Int>?
    weak var core: FeatureCore?
    do {
      let cache = try fixture.open(expiry: .seconds(1))
      freed = cache
      core = cache.core
      _ = try await cache.cached("k") { 1 }
      _ = try await Caches.withScope(CacheScope(["user": "1"])) {
        try await cache.cached("k") { 1 }
      }
      cache["sync"] = 2
      cache.load("call", block: { success, _ in success(3, .seconds(1)) }) { _ in }
      _ = try? await cache.cached("e") { () async throws -> Int in throw EngineError.boom }
      let producer = GatedProducer<Int>()
      let caller = call(cache, producer, key: "c")
      try await producer.waitForRuns(1)
      caller.cancel()
      _ = await caller.result
      try await cache.flush()
      try await fixture.clock.advance(by: .seconds(3))
      await until { cache.isQuiet }
    }
    await until { freed == nil && core == nil }
    try await fixture.clock.advance(by: .seconds(2))
    #expect(fixture.clock.pendingSleeps == 0)
  }

  @Test func `caches, their features and stores are freed after use`() async throws {
    let clock = ManualClock()
    weak var freed: Caches?
    weak var store: PlainStore?
    weak var core: FeatureCore?
    do {
      let plain = PlainStore()
      store = plain
      let caches = try Caches(time: clock.timeSource) {
        Feature("feature", expiry: .seconds(5)) {
          Memory()
          Store(plain)
        }
      }
      freed = caches
      let feature = try caches["feature"]
      core = feature.core
      let load = feature.cached("load") { (id: Int) in id }
      #expect(try await load(1) == 1)
      #expect(try await feature.cached(key: "k") { 2 } == 2)
      let stream = feature.events()
      _ = stream
      let value = try await Caches.withCurrent(caches) { try await cached(key: "d") { 3 } }
      #expect(value == 3)
      try await clock.advance(by: .seconds(10))
    }
    await until { freed == nil && store == nil && core == nil }
  }
}
