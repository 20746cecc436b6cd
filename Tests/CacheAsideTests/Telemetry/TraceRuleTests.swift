import CacheAsideTesting
import Testing

@testable import CacheAside

/// Which rule a trace names for what a call got.
@Suite(.timeLimit(.minutes(60)))
struct TraceRuleTests {
  private func last(_ body: () async throws -> Void) async throws -> CacheTrace.Entry {
    let trace = CacheTrace()
    try await Caches.withTrace(trace, body)
    return try #require(trace.entries.last)
  }

  @Test(arguments: Setup.allCases)
  func `T2 stale windows, rests and failures are named`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(
      expiry: .seconds(5),
      staleWhileRevalidate: .seconds(5),
      staleIfError: .seconds(50)
    )
    policy.retryAfterFailure = .seconds(3)
    let cache = try fixture.open(policy: policy)
    let clock = fixture.clock
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(6))
      let revalidated = try await last {
        _ = try await cache.cached("k") { () async throws -> Int in throw EngineError.boom }
      }
      #expect(revalidated.rule == .staleWhileRevalidate)
      #expect(revalidated.refresh == .staleWhileRevalidate)
      #expect(revalidated.source == .stale(.revalidating))
      #expect(revalidated.tiers.last?.finding == .expired)
      #expect(revalidated.producerErrors == [])
      try await clock.settle()
      let rested = try await last { _ = try await cache.cached("k") { 2 } }
      #expect(rested.rule == .retryAfterFailure)
      #expect(rested.refresh == nil)
      try await clock.advance(by: .seconds(6))
      let failed = try await last {
        _ = try await cache.cached("k") { () async throws -> Int in throw EngineError.boom }
      }
      #expect(failed.rule == .staleIfError)
      #expect(failed.source == .stale(.loadFailed))
      #expect(failed.producerErrors == ["boom"])
      #expect(failed.age == .seconds(12))
    }
    let statistics = cache.statistics
    #expect(statistics.refreshes == 1)
    #expect(statistics.refreshFailures == 1)
    #expect(statistics.rests == 2)
  }

  @Test func `refresh ahead is named, and the load behind belongs to nobody`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = CachePolicy(expiry: .seconds(10))
    policy.refreshAhead = .fraction(0.5)
    let cache = try fixture.open(policy: policy)
    let clock = fixture.clock
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(6))
      let entry = try await last {
        #expect(try await cache.cached("k") { 2 } == 1)
        try await clock.settle()
      }
      #expect(entry.rule == .refreshAhead)
      #expect(entry.refresh == .refreshAhead)
      #expect(entry.source == .memory)
      #expect(entry.produced == nil)
      #expect(try await cache.value(for: "k") == 2)
    }
  }

  @Test func `modes, remembered errors, nil, a closed cache and what a scope lacks are named`()
    async throws
  {
    let fixture = try CacheFixture(.memory)
    var policy = CachePolicy().cachingErrors(of: EngineError.self, for: .seconds(10))
    policy.keepExpired = .hours(1)
    let cache = try fixture.open(Int?.self, expiry: .seconds(5), policy: policy)
    func mode(_ mode: CacheMode) async throws -> CacheTrace.Entry {
      try await last { _ = try? await cache.outcome("m", mode: mode) { Produced(1) } }
    }
    #expect(try await mode(.cacheOnly).rule == .cacheOnly)
    #expect(try await mode(.cacheOnly).error?.hasPrefix("notCached") == true)
    #expect(try await mode(.bypass).rule == .bypass)
    #expect(try await mode(.bypass).storedIn == [])
    let reloaded = try await mode(.reload)
    #expect(reloaded.rule == .reload)
    #expect(reloaded.tiers == [])
    #expect(reloaded.storedIn == ["memory"])
    try await fixture.clock.advance(by: .seconds(5))
    #expect(try await mode(.anyAge).rule == .anyAge)
    for expected in [CacheRule.absent, .cachedErrors] {
      let entry = try await last {
        await #expect(throws: EngineError.boom) {
          try await cache.cached("e") { () async throws -> Int? in throw EngineError.boom }
        }
      }
      #expect(entry.rule == expected)
      #expect(entry.error == "boom")
      #expect(entry.producerErrors == (expected == .absent ? ["boom"] : []))
    }
    _ = try await cache.cached("n") { nil as Int? }
    #expect(try await last { _ = try await cache.cached("n") { 1 } }.rule == .negative)
    try await cache.close()
    #expect(try await mode(.default).rule == .closed)

    var strict = CachePolicy()
    strict.requiredScope = ["tenant"]
    let other = try fixture.open(policy: strict)
    let entry = try await last { _ = try? await other.cached("k") { 1 } }
    #expect(entry.rule == .requiredScope)
  }

  @Test func `T4 timeouts and given up loads are named, counted and reported`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = CachePolicy()
    policy.hardTimeout = .seconds(2)
    policy.abandonAfter = .seconds(5)
    let cache = try fixture.open(policy: policy)
    let events = EventRecorder<CacheEvent>()
    cache.observe(EventObserver(events))
    let clock = fixture.clock
    let trace = CacheTrace()
    try await clock.run {
      let producer = GatedProducer<Int>()
      let caller = clock.startTask {
        await Caches.withTrace(trace) { _ = try? await cache.cached("k") { try await producer() } }
      }
      try await clock.advance(by: .seconds(2))
      _ = await caller.result
      try await clock.advance(by: .seconds(4))
    }
    let entry = try #require(trace.entries.first)
    #expect(entry.rule == .hardTimeout)
    #expect(entry.waited == .seconds(2))
    #expect(events.events.map(\.kind) == [.loadAbandoned])
    #expect(cache.statistics.timeouts == 1)
    #expect(cache.statistics.abandonedLoads == 1)
    #expect(cache.statistics.loadFailures == 1)
    cache.resetStatistics()
    #expect(cache.statistics.timeouts == 0)
    #expect(cache.statistics.abandonedLoads == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `a tier that fails says so`(kind: StoreKind) async throws {
    let fixture = try TierFixture(kind)
    fixture.inject(.fail(EngineError.net), on: .read)
    fixture.inject(.fail(EngineError.net), on: .write)
    let entry = try await last { _ = try await fixture.cache.cached("k") { 1 } }
    #expect(entry.tiers.map(\.finding) == [.absent, .failed])
    #expect(entry.tiers.last?.error == "net")
    #expect(entry.storedIn == ["memory"])
    #expect(entry.notStoredIn == [entry.tiers.last?.tier])
  }

  @Test func `an entry that was invalidated by its tag is named, also where the probe meets it`()
    async throws
  {
    let calls: [@Sendable (Cache<String, Int>) async throws -> Void] = [
      { _ = try await $0.outcome("k") { Produced(2) } }, { _ = try await $0.cached("k") { 2 } },
    ]
    for call in calls {
      let fixture = try CacheFixture(.memory)
      let policy = CachePolicy(expiry: .milliseconds(500), tags: ["t"])
      let cache = try fixture.open(policy: policy)
      _ = try await cache.cached("k") { 1 }
      cache.core.stamps.stamp(tags: ["t"])
      cache.memory.invalidateSelectable()
      let out = try await last { try await call(cache) }
      #expect(out.tiers.map(\.finding) == [.invalidated])
      #expect(out.tags == ["t"])
      #expect(out.rule == .absent)
      try await fixture.clock.advance(by: .milliseconds(600))
      let gone = try await last { try await call(cache) }
      #expect(gone.tiers.map(\.finding) == [.gone])
      #expect(gone.tiers.map(\.age) == [.milliseconds(600)])
      let fresh = try await last { try await call(cache) }
      #expect(fresh.tiers.map(\.finding) == [.fresh])
    }
  }
}
