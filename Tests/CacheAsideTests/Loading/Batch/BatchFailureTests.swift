import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchFailureTests {
  @Test(arguments: Setup.allCases)
  func `F3 a failing producer fails its keys only, and the first of them is thrown`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let other = GatedProducer<Int>()
    let single = fixture.single(feature, other)
    try await fixture.clock.run {
      try await feature.integers.set(1, for: "n/1")
      let joined = fixture.clock.startTask { try await single(4) }
      try await fixture.clock.settle()
      let outcomes = fixture.clock.startTask { await fetch.outcomes([1, 2, 3, 4]) }
      let values = fixture.clock.startTask { try await fetch([4, 3, 1]) }
      try await fixture.clock.settle()
      fixture.source.producer.fail(EngineError.boom)
      other.fail(EngineError.net)
      let results = try await outcomes.value.map(\.1)
      #expect(try results[0].get() == 1)
      #expect(throws: EngineError.boom) { try results[1].get() }
      #expect(throws: EngineError.boom) { try results[2].get() }
      #expect(throws: EngineError.net) { try results[3].get() }
      await #expect(throws: EngineError.net) { try await values.value }
      await #expect(throws: EngineError.net) { try await joined.value }
      fixture.source.answer([2])
      #expect(try await fetch([2]) == [2: 20])
    }
    #expect(fixture.source.asked == [[2, 3], [2]])
    #expect(feature.statistics.loadFailures == 2)
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `T2 keys with a stale value are served when the load fails, and then rest`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    var policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(100))
    policy.retryAfterFailure = .seconds(3)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1])
      _ = try await fetch([1])
      try await fixture.clock.advance(by: .seconds(5))
      fixture.source.producer.fail(EngineError.boom)
      let outcomes = await fetch.outcomes([1, 2]).map(\.1)
      #expect(try outcomes[0].get() == 10)
      #expect(throws: EngineError.boom) { try outcomes[1].get() }
      #expect(try await fetch([1]) == [1: 10])
      #expect(fixture.source.asked == [[1], [1, 2]])
      try await fixture.clock.advance(by: .seconds(3))
      fixture.source.answer([1])
      #expect(try await fetch([1]) == [1: 10])
      #expect(fixture.source.asked == [[1], [1, 2], [1]])
    }
    #expect(feature.statistics.staleFallbacks == 1)
  }

  @Test func `remembered errors are thrown without a call`() async throws {
    let fixture = try BatchFixture()
    let policy = CachePolicy().cachingErrors(of: EngineError.self, for: .seconds(10))
    let fetch = fixture.batch(try fixture.open(policy))
    try await fixture.clock.run {
      fixture.source.producer.fail(EngineError.boom)
      await #expect(throws: EngineError.boom) { try await fetch([1]) }
      fixture.source.answer([2])
      let outcomes = await fetch.outcomes([1, 2]).map(\.1)
      #expect(throws: EngineError.boom) { try outcomes[0].get() }
      #expect(try outcomes[1].get() == 20)
      let again = try await fetch([2])
      #expect(again == [2: 20])
      #expect(fixture.source.asked == [[1], [2]])
    }
  }

  @Test func `retries ask for the whole batch again`() async throws {
    let fixture = try BatchFixture()
    var policy = CachePolicy()
    policy.retries = Retries(2, pause: .seconds(1))
    let fetch = fixture.batch(try fixture.open(policy))
    try await fixture.clock.run {
      let caller = fixture.clock.startTask { try await fetch([1, 2]) }
      fixture.source.producer.fail(EngineError.boom)
      try await fixture.clock.advance(by: .seconds(1))
      fixture.source.answer([1, 2])
      #expect(try await caller.value == [1: 10, 2: 20])
      #expect(fixture.source.asked == [[1, 2], [1, 2]])
    }
  }

  @Test(arguments: [TierFaultPolicy.miss, .fail])
  func `S1 a store that cannot be read is a miss unless its policy says otherwise`(
    policy: TierFaultPolicy
  ) async throws {
    let store = FaultInjectingStore(PlainStore())
    let caches = try Caches { Feature("f") { Store(store, faultPolicy: policy) } }
    let fetch = try caches["f"].cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) in
      Dictionary(uniqueKeysWithValues: ids.map { ($0, 10 * $0) })
    }
    store.inject(.fail(EngineError.net), on: .read)
    store.inject(.fail(EngineError.net), on: .write)
    let outcomes = await fetch.outcomes([1, 2]).map(\.1)
    if policy == .miss {
      #expect(try outcomes.map { try $0.get() } == [10, 20])
      #expect(try caches["f"].statistics.tiers[1].writeFailures == 2)
      return
    }
    for outcome in outcomes { #expect(throws: CacheError.self) { try outcome.get() } }
    store.heal()
    store.inject(.fail(EngineError.net), on: .write)
    for outcome in await fetch.outcomes([1, 2]).map(\.1) {
      #expect(throws: CacheError.self) { try outcome.get() }
    }
    #expect(try caches["f"].cache(CacheKey.self, Int.self).peek("n/1") == nil)
  }

  @Test func `a closed cache goes straight to its producer`() async throws {
    let calls = EventRecorder<[Int]>()
    let caches = Caches.inMemory
    let fetch = try caches["f"].cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) -> [Int: Int] in
      calls.record(ids)
      return [1: 1]
    }
    try await caches.close()
    for _ in 0..<2 { #expect(try await fetch([1, 2]) == [1: 1]) }
    #expect(calls.events == [[1, 2], [1, 2]])
  }

  @Test func `T4 no attempt of a batch begins after the hard timeout (M47)`() async throws {
    let fixture = try BatchFixture()
    let clock = fixture.clock
    var policy = CachePolicy()
    policy.retries = Retries(5, pause: .seconds(2))
    policy.hardTimeout = .seconds(5)
    let feature = try fixture.open(policy)
    let producer = CountingProducer<[Int: Int]>.failing(EngineError.net)
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (_: [Int]) in try await producer() }
    try await clock.run {
      let caller = clock.startTask { try await fetch([1, 2]) }
      // At 0, 2, and 6 would be too late.
      try await clock.advance(by: .seconds(4))
      #expect(feature.isQuiet)
      try await clock.advance(by: .seconds(60))
      await #expect(throws: EngineError.net) { try await caller.value }
    }
    #expect(producer.calls == 2)
    #expect(feature.isQuiet)
  }
}
