import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct TraceTests {
  @Test(arguments: Setup.allCases)
  func `a load and the hit after it are recorded with every tier`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .seconds(10), policy: CachePolicy(tags: ["blue"]))
    let trace = CacheTrace()
    try await Caches.withTrace(trace) {
      #expect(try await cache.cached("k") { 1 } == 1)
      try await fixture.clock.advance(by: .seconds(3))
      #expect(try await cache.cached("k") { 2 } == 1)
    }
    let entries = trace.entries
    try #require(entries.count == 2)
    let tiers = setup.tierNames
    #expect(entries[0].feature == "feature")
    #expect(entries[0].key == CacheKey(text: "k", namespace: Namespace("feature")))
    #expect(entries[0].mode == "default")
    #expect(entries[0].tiers.map(\.tier) == tiers)
    #expect(entries[0].tiers.allSatisfy { $0.finding == .absent })
    #expect(entries[0].rule == .absent)
    #expect(entries[0].source == .produced)
    #expect(entries[0].flight == .led)
    #expect(entries[0].produced == .zero)
    #expect(entries[0].storedIn == tiers.reversed())
    #expect(entries[0].notStoredIn == [])
    #expect(entries[1].rule == .fresh)
    #expect(entries[1].source == (setup.hasMemory ? .memory : .store(tiers[0])))
    #expect(entries[1].tiers.map(\.finding) == [.fresh])
    #expect(entries[1].age == .seconds(3))
    #expect(entries[1].remainingLife == .seconds(7))
    #expect(entries[1].tags == ["blue"])
    #expect(entries[1].produced == nil)
    #expect(entries[1].error == nil)
  }

  @Test func `a hit outside is not recorded, one inside is, in every form`() async throws {
    let caches = Caches.inMemory
    let feature = try caches["f"]
    let byKey = feature.cached(key: { "k\($0)" }) { (number: Int) async throws in number }
    let named = feature.cached("named") { (number: Int) async throws in number }
    let table = feature.cache(Int.self, String.self)
    func all() async throws {
      _ = try await byKey(1)
      _ = try await named(1)
      _ = try await feature.cached(key: "now") { "x" }
      _ = try await Caches.withCurrent(caches) { try await cached(key: "global") { true } }
      _ = try await table.value(for: 1)
      _ = table[1]
    }
    table[1] = "one"
    try await all()
    let (_, trace) = try await CacheTrace.record { try await all() }
    try await all()
    let entries = trace.entries
    #expect(entries.count == 6)
    #expect(entries.allSatisfy { $0.rule == .fresh && $0.source == .memory })
    #expect(entries.map(\.key.text) == ["k1", "%named(1)", "now", "global", "%(1)", "%(1)"])
    #expect(entries.map(\.feature) == ["f", "f", "f", "default", "f", "f"])
    #expect(entries[1].table == "named")
    // Hits count as without a trace.
    #expect(feature.statistics.hits == 12)
  }

  @Test func `joined callers have entries of their own, and say how long they waited`() async throws
  {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    let clock = fixture.clock
    let (leaders, joiners) = (CacheTrace(), CacheTrace())
    try await clock.run {
      let producer = GatedProducer<Int>()
      let leader = clock.startTask {
        try await Caches.withTrace(leaders) { try await cache.cached("k") { try await producer() } }
      }
      try await clock.advance(by: .seconds(1))
      let joiner = clock.startTask {
        try await Caches.withTrace(joiners) { try await cache.cached("k") { 0 } }
      }
      try await clock.advance(by: .seconds(2))
      producer.release(7)
      #expect(try await leader.value == 7)
      #expect(try await joiner.value == 7)
    }
    let led = try #require(leaders.entries.first)
    let joined = try #require(joiners.entries.first)
    #expect(led.flight == .led)
    #expect(led.waited == .seconds(3))
    #expect(led.produced == .seconds(3))
    #expect(led.rule == .absent)
    #expect(joined.flight == .joined)
    #expect(joined.waited == .seconds(2))
    #expect(joined.source == .coalesced)
    #expect(joined.rule == .singleFlight)
    #expect(joined.produced == nil)
    #expect(joined.storedIn == [])
  }

  @Test func `a producer's calls are recorded for themselves`() async throws {
    let cache = try CacheFixture(.memoryAndDisk).open()
    let (value, trace) = try await CacheTrace.record {
      try await cache.cached("outer") { try await cache.cached("inner") { 1 } + 1 }
    }
    #expect(value == 2)
    #expect(trace.entries.map(\.key.text) == ["inner", "outer"])
    #expect(trace.entries.allSatisfy { $0.storedIn == ["disk", "memory"] && $0.tiers.count == 2 })
  }

  @Test func `a traced producer's calls keep the bound mode`() async throws {
    let cache = try CacheFixture(.memory).open()
    try await cache.set(0, for: "inner")
    try await Caches.withMode(.reload) {
      let value = try await Caches.withTrace(CacheTrace()) {
        try await cache.cached("outer") { try await cache.cached("inner") { 1 } }
      }
      #expect(value == 1)
    }
  }

  @Test func `a full trace counts what it drops`() async throws {
    let cache = try CacheFixture(.memory).open()
    let trace = CacheTrace(limit: 3)
    try await Caches.withTrace(trace) {
      for index in 0..<10 { _ = try await cache.cached("\(index)") { index } }
    }
    #expect(trace.entries.count == 3)
    #expect(trace.droppedEntries == 7)
    #expect("\(trace)".hasSuffix("7 more calls, not kept"))
  }

  @Test func `a key under a scope is recorded with it`() async throws {
    let cache = try CacheFixture(.memory).open()
    let (_, trace) = try await CacheTrace.record {
      try await Caches.withScope(["tenant": "a"]) {
        _ = try await cache.cached("k") { 1 }
        _ = try await cache.cached("k") { 2 }
        #expect(cache["k"] == 1)
      }
    }
    let scoped = Namespace("feature", scope: ["tenant": "a"])
    #expect(trace.entries.count == 3)
    #expect(trace.entries.allSatisfy { $0.key == CacheKey(text: "k", namespace: scoped) })
  }

  @Test func `a load by callback is recorded, and so is what its block asks`() async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let cache = try fixture.open()
    let answers = EventRecorder<Int>()
    let trace = CacheTrace()
    Caches.withTrace(trace) {
      for _ in 0..<2 {
        cache.load("k") { success, _ in
          _ = cache["other"]
          success(5, .seconds(10))
        } completion: {
          if case .success(let outcome) = $0 { answers.record(outcome.value) }
        }
      }
    }
    #expect(answers.events == [5, 5])
    let entries = trace.entries
    #expect(entries.map(\.key.text) == ["other", "k", "k"])
    #expect(entries.map(\.rule) == [.cacheOnly, .absent, .fresh])
    #expect(entries.map(\.flight) == [nil, .led, nil])
    #expect(entries[1].storedIn == ["disk", "memory"])
    #expect(entries[1].produced == .zero)
  }

  @Test func `what a block does behind an answer is not recorded`() async throws {
    let fixture = try CacheFixture(.memory)
    let policy = CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .seconds(5))
    let cache = try fixture.open(policy: policy)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(6))
    let trace = CacheTrace()
    let runs = EventRecorder<Int>()
    Caches.withTrace(trace) {
      cache.load("k") { success, _ in
        runs.record(cache["other"] ?? 0)
        success(2, .seconds(5))
      } completion: { _ in
      }
    }
    #expect(runs.events == [0])
    #expect(trace.entries.map(\.rule) == [.staleWhileRevalidate])
    #expect(trace.entries.map(\.refresh) == [.staleWhileRevalidate])
    #expect(cache["k"] == 2)
  }

  @Test func `printing shows hashes, and keys and tags where they are allowed`() async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let cache = try fixture.open(policy: CachePolicy(expiry: .seconds(5), tags: ["user/42"]))
    let traces = [false, true].map { CacheTrace(showsKeys: $0) }
    for trace in traces {
      try await cache.removeAll()
      try await Caches.withTrace(trace) {
        _ = try await cache.cached("secret") { 1 }
        _ = try await cache.cached("secret") { 1 }
      }
    }
    let hashed = CacheKey(text: "secret", namespace: Namespace("feature")).hashed
    #expect(
      "\(traces[0])" == """
        feature \(hashed): produced, rule absent, 0 ns
          memory absent; disk absent
          led a load, waited 0 ns; produced in 0 ns; stored in disk, memory
        feature \(hashed): memory, rule fresh, 0 ns
          memory fresh, 0 ns old
          tags 1
        """
    )
    #expect(!"\(traces[0])".contains("42"))
    #expect("\(traces[1])".contains("feature secret: memory, rule fresh"))
    #expect("\(traces[1])".contains("tags user/42"))
  }

  @Test func `what happens inside inner traces belongs to the outer one, too (B393)`() async throws
  {
    let fixture = try BatchFixture(.memory)
    let feature = try fixture.open()
    let cache = feature.integers
    let batch = feature.cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) async throws -> [Int: Int] in
      Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) })
    }
    let kept = CacheTrace()
    let (inner, outer) = try await CacheTrace.record {
      _ = try await cache.cached("a") { 1 }
      _ = try await batch([1])
      let (_, inner) = try await CacheTrace.record {
        _ = try await cache.cached("b") { 1 }
        _ = try await Caches.withTrace(kept) {
          _ = try await batch([2, 3])
          // The same trace again records each call once.
          try await Caches.withTrace(kept) { try await cache.remove("a") }
          _ = CacheTrace.record { _ = cache.peek("b") }
        }
      }
      return inner
    }
    #expect(outer.entries.map(\.key.text) == ["a", "n/1", "b", "n/2", "n/3", "a"])
    #expect(outer.entries.map(\.batch) == [nil, 1, nil, 2, 2, nil])
    #expect(inner.entries.map(\.key.text) == ["b", "n/2", "n/3", "a"])
    #expect(inner.entries.map(\.batch) == [nil, 1, 1, nil])
    #expect(kept.entries.map(\.key.text) == ["n/2", "n/3", "a"])
    #expect(kept.entries.map(\.batch) == [1, 1, nil])
  }
}

extension Setup {
  /// The names of its tiers, in the order in which they are asked.
  var tierNames: [String] {
    switch self {
    case .memory: ["memory"]
    case .disk: ["disk"]
    case .memoryAndDisk: ["memory", "disk"]
    case .suspending: ["plain"]
    }
  }
}
