import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct StatisticsTests {
  @Test func `B112 every lookup is counted as exactly one thing`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(
      expiry: .seconds(10),
      policy: CachePolicy(keepExpired: .hours(1))
    )
    _ = try await cache.cached("k") { 1 }
    _ = try await cache.cached("k") { 2 }
    try await fixture.clock.advance(by: .seconds(10))
    _ = try await cache.outcome("k", mode: .anyAge) { Produced(3) }
    _ = try await cache.cached("k") { 3 }
    let producer = GatedProducer<Int>()
    let pair = (0..<2).map { _ in call(cache, producer, key: "pair") }
    await cache.waiters(2)
    try await producer.waitForRuns(1)
    producer.release(4)
    for caller in pair { _ = try await caller.value }
    let statistics = cache.statistics
    #expect(statistics.hits == 1)
    #expect(statistics.misses == 3)
    #expect(statistics.coalesced == 1)
    #expect(statistics.staleServed == 1)
    #expect(statistics.lookups == 6)
    #expect(statistics.loads == 3)
  }

  @Test func `B112 calls that end in an error or leave are counted once`() async throws {
    let cache = try CacheFixture(.memory).open()
    let producer = GatedProducer<Int>()
    let callers = (0..<3).map { _ in call(cache, producer) }
    await cache.waiters(3)
    try await producer.waitForRuns(1)
    callers[1].cancel()
    await #expect(throws: CancellationError.self) { try await callers[1].value }
    producer.fail(EngineError.boom)
    _ = await callers[0].result
    _ = await callers[2].result
    let leader = call(cache, producer)
    try await producer.waitForRuns(2)
    leader.cancel()
    _ = await leader.result
    await until { cache.isQuiet }
    let statistics = cache.statistics
    #expect(statistics.misses == 2)
    #expect(statistics.coalesced == 2)
    #expect(statistics.lookups == 4)
    #expect(statistics.loadFailures == 1)
  }

  @Test(arguments: Setup.allCases)
  func `B112 a call for any age that finds nothing is one miss`(setup: Setup) async throws {
    let cache = try CacheFixture(setup).open()
    _ = try await cache.outcome("k", mode: .anyAge) { Produced(1) }
    #expect(cache.statistics.misses == 1)
    #expect(cache.statistics.lookups == 1)
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `B112 a read that takes expired objects is counted once`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let policy = CachePolicy(keepExpired: .hours(1))
    let cache = try fixture.open(expiry: .seconds(10), policy: policy)
    func read() -> Int? { cache.object(forKey: "k", returnExpiredObjectIfPresent: true) }
    #expect(read() == nil)
    try await cache.set(1, for: "k")
    #expect(read() == 1)
    try await fixture.clock.advance(by: .seconds(10))
    #expect(read() == 1)
    let statistics = cache.statistics
    #expect(statistics.misses == 1)
    #expect(statistics.hits == 1)
    #expect(statistics.staleServed == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `B112 a lookup that a store fails is a miss`(kind: StoreKind) async throws {
    let fixture = try TierFixture(kind, faultPolicy: .fail)
    fixture.inject(.fail(EngineError.net), on: .read)
    await #expect(throws: CacheError.self) { try await fixture.cache.cached("k") { 1 } }
    await #expect(throws: CacheError.self) { try await fixture.cache.value(for: "k") }
    #expect(fixture.cache.statistics.misses == 2)
    #expect(fixture.cache.statistics.lookups == 2)
  }

  @Test(arguments: [CacheMode.default, .bypass, .reload, .anyAge])
  func `B112 a load that was cancelled before counts nothing, in any mode`(
    mode: CacheMode
  ) async throws {
    let cache = try CacheFixture(.memory).open()
    let gate = Gate()
    let caller = Task {
      await gate.waitIgnoringCancellation()
      return try await cache.outcome("k", mode: mode) { Produced(2) }
    }
    caller.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(cache.statistics.lookups == 0)
  }

  @Test func `B115 hits count where they happen and reset gives zero`() async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let cache = try fixture.open(expiry: .hours(1))
    for _ in 0..<3 { _ = try await cache.cached("k") { 1 } }
    cache.removeAllFromMemory()
    _ = try await cache.cached("k") { 2 }
    var statistics = cache.statistics
    #expect(statistics.lookups == 4)
    #expect(statistics.hits == 3)
    #expect(statistics.misses == 1)
    #expect(statistics.hitRatio == 0.75)
    #expect(statistics.tiers.map(\.name) == ["memory", "disk"])
    #expect(statistics.tiers.map(\.hits) == [2, 1])
    #expect(statistics.tiers.map(\.misses) == [2, 1])
    cache.resetStatistics()
    statistics = cache.statistics
    #expect(statistics.lookups == 0)
    #expect(statistics.tiers.allSatisfy { $0.hits == 0 && $0.misses == 0 })
    #expect(statistics.loads == 0)
    #expect(statistics.removals.isEmpty)
    #expect(statistics.entries == 1)
    _ = try await cache.cached("k") { 3 }
    #expect(cache.statistics.hits == 1)
  }

  @Test(arguments: Setup.allCases)
  func `B114 the producer decides the lifetime, and the leader's rule holds`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(String.self, expiry: .hours(1))
    let producer = CountingProducer<Produced<String>> { _ in
      Produced("t", expiry: .seconds(120 - 20))
    }
    for (second, calls) in [(0, 1), (99, 1), (101, 2)] {
      let rest = Duration.seconds(second) - fixture.clock.elapsed
      try await fixture.clock.advance(by: rest)
      #expect(try await cache.cached("k", expiry: .minutes(5)) { try await producer() } == "t")
      #expect(producer.calls == calls)
    }
    let gated = GatedProducer<String>()
    let leader = call(cache, gated, key: "two", expiry: .seconds(10))
    try await gated.waitForRuns(1)
    let joiner = call(cache, gated, key: "two", expiry: .seconds(1_000))
    await cache.waiters(2)
    gated.release("v")
    #expect(try await leader.value == "v")
    #expect(try await joiner.value == "v")
    #expect(try await cache.entry(for: "two")?.remainingLife == .seconds(10))
  }

  @Test func `B113 the key is derived once a call and a value is encoded once`() async throws {
    let clock = ManualClock()
    let folder = try TemporaryFolder()
    let caches = try Caches(time: clock.timeSource) {
      try Feature("feature", expiry: .seconds(10)) {
        Memory()
        Store(PlainStore())
        Store(try DiskStore(directory: folder.path + "/cache", time: clock.timeSource))
      }
    }
    let keys = EventRecorder<Int>()
    let load = try caches["feature"].cached(
      key: { (id: Int) in
        keys.record(id)
        return "k/\(id)"
      }
    ) { (id: Int) in id }
    for calls in 1...3 {
      #expect(try await load(1) == 1)
      #expect(keys.events.count == calls)
      if calls == 2 { try await clock.advance(by: .seconds(10)) }
    }
    let encoded = EventRecorder<Int>()
    let codec = Codec<Int>(
      identifier: CodecIdentifier(rawValue: 900),
      encode: {
        encoded.record($0)
        return Array("\($0)".utf8)
      },
      decode: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    )
    let cache = try Cache<String, Int>(name: "coded", time: clock.timeSource, codec: codec) {
      Memory()
      Store(PlainStore())
      Store(PlainStore())
    }
    _ = try await cache.cached("k") { 5 }
    #expect(encoded.events == [5])
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 5)
    #expect(encoded.events == [5])
  }

  @Test func `the load time is the producer's`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    let clock = fixture.clock
    try await clock.run {
      async let value = cache.cached("k") {
        try await clock.sleep(for: .milliseconds(1_500))
        return 1
      }
      try await clock.advance(by: .seconds(2))
      #expect(try await value == 1)
    }
    #expect(cache.statistics.loadTime == .milliseconds(1_500))
  }

  @Test func `a call that goes past the cache is a miss and a load`() async throws {
    let feature = try Caches.inMemory["f"]
    let function = feature.cached(key: { "k\($0)" }) { (number: Int) async throws in number }
    #expect(try await function(1) == 1)
    #expect(try await function(1, mode: .bypass) == 1)
    #expect(feature.statistics.misses == 2)
    #expect(feature.statistics.loads == 2)
    #expect(feature.statistics.hits == 0)
  }
}
