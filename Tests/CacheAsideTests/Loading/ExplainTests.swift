import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct ExplainTests {
  /// What must not change when something is explained.
  private func state(_ cache: Cache<String, Int>) -> [UInt64] {
    let statistics = cache.statistics
    return statistics.tiers.flatMap { [$0.hits, $0.misses, $0.readFailures] }
      + [
        statistics.lookups, statistics.loads, statistics.refreshes, UInt64(statistics.entries),
        UInt64(statistics.flights),
      ]
  }

  private func explain(_ cache: Cache<String, Int>) async -> CacheExplanation {
    let before = state(cache)
    let explanation = await cache.explain("k")
    #expect(state(cache) == before)
    return explanation
  }

  @Test(arguments: Setup.allCases)
  func `times, windows, tags and the next read over a value's life`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(
      expiry: .seconds(10),
      staleWhileRevalidate: .seconds(5),
      staleIfError: .seconds(20),
      tags: ["t"]
    )
    policy.keepExpired = .seconds(10)
    let cache = try fixture.open(policy: policy)
    let clock = fixture.clock
    try await clock.run {
      let absent = await explain(cache)
      #expect(absent.tiers.map(\.name) == setup.tierNames)
      #expect(absent.tiers.allSatisfy { $0.finding == .absent && $0.age == nil })
      #expect(absent.rule == .absent)
      #expect(absent.nextRead == "The next read runs the producer")
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(4))
      let fresh = await explain(cache)
      #expect(fresh.key == CacheKey(text: "k", namespace: Namespace("feature")))
      for tier in fresh.tiers {
        #expect(tier.finding == .fresh)
        #expect(tier.age == .seconds(4))
        #expect(tier.remainingLife == .seconds(6))
        #expect(tier.staleWhileRevalidate == .seconds(5))
        #expect(tier.staleIfError == .seconds(20))
        #expect(tier.kept == .seconds(36))
        #expect(tier.tags == ["t"])
        #expect(tier.cost != nil || tier.bytes == 1)
      }
      #expect(fresh.rule == .fresh)
      try await clock.advance(by: .seconds(7))
      let stale = await explain(cache)
      #expect(stale.tiers.allSatisfy { $0.finding == .expired && $0.remainingLife == .zero })
      #expect(stale.tiers.allSatisfy { $0.staleWhileRevalidate == .seconds(4) })
      #expect(stale.rule == .staleWhileRevalidate)
      try await clock.advance(by: .seconds(10))
      let helping = await explain(cache)
      #expect(helping.tiers.allSatisfy { $0.staleWhileRevalidate == nil })
      #expect(helping.tiers.allSatisfy { $0.staleIfError == .seconds(9) })
      #expect(helping.rule == .absent)
      #expect(helping.nextRead.contains("if it fails, the expired value of"))
      try await cache.expire("k")
      #expect(await explain(cache).tiers.allSatisfy { $0.isExpiredByHand })
    }
  }

  @Test(arguments: Setup.allCases)
  func `what it says about the next read is what the next read does`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(
      expiry: .seconds(10),
      staleWhileRevalidate: .seconds(5),
      staleIfError: .seconds(20)
    ).cachingErrors(of: CancellationTwin.self, for: .seconds(2))
    policy.refreshAhead = .fraction(0.8)
    policy.retryAfterFailure = .seconds(2)
    let cache = try fixture.open(policy: policy)
    let clock = fixture.clock
    let rules = EventRecorder<CacheRule>()
    try await clock.run {
      for step in 0..<120 {
        let said = await explain(cache).rule
        let trace = CacheTrace()
        let fails = step % 3 == 1
        await Caches.withTrace(trace) {
          _ = try? await cache.cached("k") { () async throws -> Int in
            if step % 40 == 20 { throw CancellationTwin() }
            if fails { throw EngineError.boom }
            return step
          }
        }
        let did = try #require(trace.entries.first).rule
        #expect(said == (did == .staleIfError ? .absent : did), "step \(step)")
        rules.record(did)
        try await clock.advance(by: .milliseconds(step % 30 == 29 ? 40_000 : 900))
        if step % 40 == 19 { try await cache.remove("k") }
      }
    }
    #expect(rules.events.contains(.fresh))
    #expect(rules.events.contains(.absent))
    #expect(rules.events.contains(.refreshAhead))
    #expect(rules.events.contains(.cachedErrors))
  }

  private struct CancellationTwin: Error {}

  @Test func `a load in progress and its waiters are seen`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let callers = (0..<3).map { _ in call(cache, producer) }
    await cache.waiters(3)
    let explanation = await explain(cache)
    #expect(explanation.isLoading)
    #expect(explanation.waiters == 3)
    #expect(explanation.rule == .singleFlight)
    try await producer.waitForRuns(1)
    producer.release(1)
    for caller in callers { _ = try await caller.value }
    #expect(await explain(cache).isLoading == false)
  }

  @Test func `a rest and a remembered error are seen with what is left of them`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(50))
      .cachingErrors(of: EngineError.self, for: .seconds(9))
    policy.retryAfterFailure = .seconds(7)
    let cache = try fixture.open(policy: policy)
    let fails = { @Sendable () async throws -> Int in throw EngineError.boom }
    _ = try? await cache.cached("k", fails)
    #expect(await explain(cache).rule == .cachedErrors)
    #expect(await explain(cache).rememberedError == "boom")
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(6))
    #expect(try await cache.cached("k", fails) == 1)
    try await fixture.clock.advance(by: .seconds(2))
    let explanation = await explain(cache)
    #expect(explanation.rests == .seconds(5))
    #expect(explanation.rule == .retryAfterFailure)
  }

  @Test func `another type, a stone, a broken record and a tag are told apart`() async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let texts = try fixture.open(String.self)
    try await texts.set("x", for: "k")
    let cache = try fixture.open(policy: CachePolicy(tags: ["t"]))
    #expect(await explain(cache).tiers.map(\.finding) == [.absent, .otherType])
    try await cache.set(1, for: "k")
    cache.core.stamps.stamp(tags: ["t"])
    cache.memory.invalidateSelectable()
    #expect(await explain(cache).tiers[0].finding == .invalidated)
    #expect(await explain(cache).tiers[0].finding == .invalidated)
    cache.core.tiers[0].tombstones.put(
      CacheKey(text: "k", namespace: Namespace("feature")),
      wall: .max
    )
    #expect(await explain(cache).tiers[1].finding == .tombstone)
    try await cache.close()
    #expect(await explain(cache).rule == .closed)

    let faulty = try TierFixture(.suspending)
    faulty.inject(.fail(EngineError.net), on: .read)
    let failed = await explain(faulty.cache)
    #expect(failed.tiers[1].finding == .failed)
    #expect(failed.tiers[1].error == "net")
    #expect(faulty.kinds == [])
  }

  @Test(arguments: Setup.withStore)
  func `a record of an older structure, and a nil of another form, are what reads take them for`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.open(Int.self, codec: .json(version: 1)).set(1, for: "k")
    let cache = try fixture.open(Int.self, codec: .json(version: 2))
    func expect(_ finding: CacheFinding) async throws {
      let explanation = await explain(cache)
      #expect(explanation.tiers.last?.finding == finding)
      #expect(explanation.rule == .absent)
      let trace = CacheTrace()
      let read = try await Caches.withTrace(trace) { try await cache.value(for: "k") }
      #expect(read == nil)
      #expect(trace.entries.first?.tiers.last?.finding == finding)
    }
    try await expect(.otherSchema)
    try await fixture.open(Int?.self, codec: .json(version: 2)).set(nil, for: "k")
    try await expect(.otherType)
  }

  @Test func `functions and features explain too, and print a few lines`() async throws {
    let clock = ManualClock()
    let feature = try Caches(time: clock.timeSource) {
      Feature("users", expiry: .seconds(10), version: 2) { Memory() }
    }["users"]
    let policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(60), tags: ["t"])
    let function = feature.cached("user", policy: policy) { (id: Int) async throws in "u\(id)" }
    let other = feature.cached(key: { "user/\($0)" }) { (id: Int) async throws in id }
    _ = try await function(1)
    _ = try await other(1)
    try await clock.advance(by: .seconds(6))
    let explanation = await function.explain(1)
    #expect(explanation.table == "user")
    #expect(explanation.tiers[0].staleIfError == .seconds(59))
    let hashed = explanation.key.hashed
    #expect(
      "\(explanation)" == """
        users \(hashed) of user
          memory: expired, 6 s old, staleIfError 59 s, kept 59 s, 1 tags, cost \
        \(explanation.tiers[0].cost ?? -1)
          The next read runs the producer; if it fails, the expired value of memory is returned \
        (absent)
        """
    )
    #expect(explanation.text(showsKey: true).hasPrefix("users@2:%user(1) of user\n"))
    #expect(explanation.text(showsKey: true).contains("tags t"))
    #expect(await feature.explain(function.key(for: 1)).compactMap(\.table) == ["user"])
    let byKey = await feature.explain("user/1")
    #expect(byKey.count == 1)
    #expect(byKey.first?.rule == .fresh)
    #expect(await feature.explain("user/2").map(\.rule) == [.absent])
  }
}
