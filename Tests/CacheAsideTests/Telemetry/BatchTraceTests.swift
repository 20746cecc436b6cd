import CacheAsideTesting
import Testing

@testable import CacheAside

/// What a trace shows of calls with many keys.
@Suite(.timeLimit(.minutes(60)))
struct BatchTraceTests {
  private let fixture: BatchFixture

  init() throws { fixture = try BatchFixture(.memoryAndDisk) }

  private func entries(_ trace: CacheTrace) -> [String: CacheTrace.Entry] {
    Dictionary(trace.entries.map { ($0.key.text, $0) }) { $1 }
  }

  @Test func `a batch has one entry a key, and a few lines`() async throws {
    let policy = CachePolicy(expiry: .minutes(10), tags: ["blue"])
    try await fixture.clock.run {
      // Of an earlier process: one value, one absence.
      fixture.source.answer([2])
      _ = try await fixture.batch(try fixture.open(policy))([2, 3])
      let feature = try fixture.open(policy)
      let fetch = fixture.batch(feature)
      try await feature.integers.set(1, for: "n/1")
      try await fixture.clock.advance(by: .seconds(1))
      let trace = CacheTrace(showsKeys: true)
      let caller = fixture.clock.startTask {
        try await Caches.withTrace(trace) { try await fetch([1, 2, 3, 4, 5, 1]) }
      }
      try await fixture.clock.settle()
      try await fixture.clock.advance(by: .seconds(2))
      fixture.source.answer([4])
      #expect(try await caller.value == [1: 1, 2: 20, 4: 40])
      let entries = entries(trace)
      #expect(trace.entries.count == 5)
      #expect(trace.entries.allSatisfy { $0.batch == 1 && $0.mode == "default" })
      let hit = try #require(entries["n/1"])
      #expect(hit.rule == .fresh && hit.source == .memory && hit.flight == nil)
      #expect(hit.age == .seconds(1))
      let found = try #require(entries["n/2"])
      #expect(found.rule == .fresh && found.source == .store("disk") && found.flight == .led)
      #expect(found.tiers.map(\.finding) == [.absent, .fresh])
      #expect(found.storedIn == ["memory"] && found.tags == ["blue"])
      let known = try #require(entries["n/3"])
      #expect(known.isAbsent && known.rule == .negative && known.source == .store("disk"))
      let loaded = try #require(entries["n/4"])
      #expect(loaded.rule == .absent && loaded.source == .produced)
      #expect(loaded.produced == .seconds(2) && loaded.waited == .seconds(2))
      #expect(loaded.storedIn == ["disk", "memory"] && loaded.notStoredIn == [])
      let missing = try #require(entries["n/5"])
      #expect(missing.isAbsent && missing.rule == .absent && missing.source == .produced)
      #expect(missing.storedIn == ["disk", "memory"])
      let lines = "\(trace)".split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines[0].hasPrefix("feature batch of 5 keys: 1 memory, rule fresh (n/1); "))
      #expect(lines[0].contains("1 absent, store(disk), rule negative (n/3)"))
      #expect(lines[1].contains("memory 1 fresh, 4 absent; disk "))
      #expect(lines[2].contains("led 4; produced 2 in 2"))
      #expect(lines[2].contains("stored 2 in disk") && lines[2].contains("stored 4 in memory"))
    }
  }

  @Test func `many keys are counted, not named, and other calls stay between`() async throws {
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let trace = CacheTrace(showsKeys: true)
    try await fixture.clock.run {
      try await Caches.withTrace(trace) { () async throws in
        fixture.source.answer(Array(0..<100))
        _ = try await fetch(Array(0..<100))
        _ = try await feature.cached(key: "n/1") { 0 }
        _ = try await fetch([1], mode: .cacheOnly)
      }
    }
    #expect(trace.entries.count == 102)
    #expect(trace.entries.compactMap(\.batch).max() == 2)
    let lines = "\(trace)".split(separator: "\n")
    #expect(lines.count == 7)
    #expect(lines[0].hasPrefix("feature batch of 100 keys: 100 produced, rule absent; "))
    #expect(!lines[0].contains("n/"))
    #expect(lines[3].hasPrefix("feature n/1: memory"))
    #expect(lines[5].hasPrefix("feature batch of 1 key [cacheOnly]: 1 memory, rule fresh (n/1)"))
  }

  @Test func `joiners, failures, modes and loads behind are told for each key`() async throws {
    let fixture = try BatchFixture()
    var policy = CachePolicy(
      expiry: .minutes(10),
      staleWhileRevalidate: .minutes(10),
      staleIfError: .minutes(60)
    )
    policy.hardTimeout = .minutes(5)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    let (clock, source) = (fixture.clock, fixture.source)
    try await clock.run {
      for id in 1...2 { try await feature.integers.set(id, for: "n/\(id)") }
      try await clock.advance(by: .seconds(1_000))
      try await feature.integers.set(3, for: "n/3")
      try await clock.advance(by: .seconds(300))
      let (first, second) = (CacheTrace(), CacheTrace())
      // One is beyond its first window; two is loaded by somebody else already.
      let other = clock.startTask { try await fetch([2, 4]) }
      try await clock.settle()
      let caller = clock.startTask {
        await Caches.withTrace(first) { await fetch.outcomes([1, 2, 4]) }
      }
      try await clock.settle()
      for _ in 0..<2 { source.producer.fail(EngineError.boom) }
      _ = await caller.result
      _ = await other.result
      let failed = entries(first)
      #expect(failed["n/1"]?.rule == .staleIfError && failed["n/1"]?.flight == .led)
      #expect(failed["n/1"]?.producerErrors == ["boom"])
      #expect(failed["n/2"]?.rule == .staleIfError && failed["n/2"]?.flight == .joined)
      #expect(failed["n/2"]?.producerErrors == [])
      #expect(failed["n/4"]?.error == "boom" && failed["n/4"]?.source == nil)
      try await Caches.withTrace(second) { () async throws in
        #expect(
          await fetch.outcomes([1], mode: .cacheOnly).map { (try? $0.1.get()) == nil } == [true]
        )
        source.answer([1, 2])
        _ = try await fetch([1, 2], mode: .reload)
        source.answer([1])
        _ = try await fetch([1, 5], mode: .bypass)
        source.answer([3])
        _ = try await fetch([3], mode: .cacheThenRefresh)
        try await clock.settle()
      }
      let entries = second.entries
      #expect(entries.map(\.batch) == [1, 2, 2, 3, 3, 4])
      #expect(
        entries.map(\.mode) == ["cacheOnly"] + ["reload", "reload", "bypass", "bypass"] + [
          "cacheThenRefresh"
        ]
      )
      #expect(entries[0].rule == .cacheOnly && entries[0].error != nil)
      #expect(entries[1].rule == .reload && entries[1].storedIn == ["memory"])
      #expect(entries[3].rule == .bypass && entries[3].storedIn == [] && entries[3].tiers == [])
      #expect(entries[4].isAbsent && entries[4].rule == .bypass)
      #expect(entries[5].rule == .fresh && entries[5].refresh == .reload)
    }
    #expect(feature.isQuiet)
  }

  @Test func `nothing is recorded without a trace, and a collected call is one of one key`()
    async throws
  {
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let collector = fetch.batching(maximum: 2, window: .seconds(1))
    let trace = CacheTrace()
    try await fixture.clock.run {
      fixture.source.answer([1])
      _ = try await fetch([1])
      #expect(trace.entries.isEmpty)
      let calls = [2, 3].map { id in
        fixture.clock.startTask { try await Caches.withTrace(trace) { try await collector(id) } }
      }
      fixture.source.answer([2, 3])
      for call in calls { _ = try await call.value }
      _ = try await Caches.withTrace(trace) { try await collector(1) }
    }
    let entries = entries(trace)
    #expect(trace.entries.count == 3, "\(trace)")
    #expect(trace.entries.allSatisfy { $0.batch == nil })
    #expect(entries["n/1"]?.rule == .fresh)
    let third = try #require(entries["n/3"])
    #expect(third.rule == .absent, "\(third)")
    #expect(third.storedIn == ["disk", "memory"], "\(third)")
  }
}
