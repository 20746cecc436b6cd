import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct MixedCallersTests {
  @Test(arguments: Setup.allCases)
  func `F1 async and callback callers and reads of one key share one load`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let block = EventRecorder<Int>()
    let leader = call(cache, producer)
    try await producer.waitForRuns(1)
    let joiner = call(cache, producer)
    let answers = EventRecorder<Int?>()
    for _ in 0..<3 {
      cache.load(
        "k",
        block: { success, _ in
          block.record(1)
          success(9, .never)
        }
      ) { answers.record(try? $0.get().value) }
    }
    await cache.waiters(5)
    // Reads neither wait nor load.
    #expect(cache["k"] == nil)
    #expect(try await cache.value(for: "k") == nil)
    #expect(cache.peek("k") == nil)
    #expect(producer.calls == 1)
    producer.release(1)
    #expect(try await leader.value == 1)
    #expect(try await joiner.value == 1)
    try await answers.waitForCount(3)
    #expect(answers.events == [1, 1, 1])
    #expect(block.events.isEmpty)
    #expect(try await cache.value(for: "k") == 1)
    #expect(cache.statistics.coalesced == 4)
    #expect(cache.isQuiet)
  }

  private struct Handler: Sendable {
    let answer: @Sendable (Int, Expiry) -> Void
  }

  @Test func `F1 an async caller joins the load of a callback caller`() async throws {
    let cache = try CacheFixture(.memoryAndDisk).open()
    let handlers = EventRecorder<Handler>()
    let answers = EventRecorder<CacheOutcome<Int>>()
    cache.load("k", block: { success, _ in handlers.record(Handler(answer: success)) }) {
      if case .success(let outcome) = $0 { answers.record(outcome) }
    }
    let producer = CountingProducer<Int>.returning(2)
    let joiner = Task { try await cache.outcome("k") { Produced(try await producer()) } }
    await cache.waiters(2)
    handlers.removeAll().first?.answer(1, .seconds(5))
    #expect(try await joiner.value.value == 1)
    #expect(try await joiner.value.source == .coalesced)
    #expect(answers.events.map(\.source) == [.produced])
    #expect(producer.calls == 0)
    #expect(try await cache.entry(for: "k")?.remainingLife == .seconds(5))
  }

  @Test(arguments: Setup.allCases)
  func `F4 a set during a load wins, and the load's callers get their own result`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    for isBlocking in [false, true] {
      let caller = call(cache, producer)
      try await producer.waitForRuns(isBlocking ? 2 : 1)
      if isBlocking {
        try cache.setBlocking(2, for: "k")
        try await cache.flush()
      } else {
        try await cache.set(2, for: "k")
      }
      #expect(try await cache.cached("k") { 3 } == 2)
      producer.release(1)
      #expect(try await caller.value == 1)
      #expect(try await cache.value(for: "k") == 2)
      if setup != .memory { #expect(try await fixture.open().value(for: "k") == 2) }
      try await cache.remove("k")
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `F4 an expire during a load keeps its value out`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: CachePolicy(keepExpired: .hours(1)))
    let producer = GatedProducer<Int>()
    let caller = call(cache, producer)
    try await producer.waitForRuns(1)
    try await cache.expire("k")
    producer.release(1)
    #expect(try await caller.value == 1)
    #expect(try await fixture.isEmpty(cache))
    try await cache.set(2, for: "k")
    try await cache.expire("k")
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.entry(for: "k")?.value == 2)
    #expect(try await cache.outcome("k", mode: .anyAge) { Produced(3) }.source == .stale(.anyAge))
    #expect(try await cache.cached("k") { 3 } == 3)
  }

  @Test(arguments: Setup.withStore)
  func `F4 a promotion that a removal overtakes stores nothing`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let gate = Gate()
    let fast = FaultInjectingStore(PlainStore())
    let slow = FaultInjectingStore(PlainStore())
    let cache = try Cache<String, Int>(name: "feature", time: fixture.clock.timeSource) {
      Memory()
      Store(fast)
      Store(slow)
    }
    try await cache.set(1, for: "k")
    cache.removeAllFromMemory()
    try await fast.base.removeAll(in: nil)
    slow.inject(.delay(gate), on: .read, times: 1)
    let reader = Task {
      setup == .disk
        ? try await cache.value(for: "k") : try await cache.cached("k") { 7 }
    }
    try await gate.waitForArrivals(1)
    try await cache.remove("k")
    gate.open()
    _ = try await reader.value
    let key = CacheKey(text: "k", namespace: Namespace("feature"))
    #expect(cache.peek("k") == nil)
    #expect(try await fast.base.entry(for: key) == nil)
    #expect(try await slow.base.entry(for: key) == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `F4 a synchronous promotion that a removal overtakes stores nothing`() async throws {
    let fixture = try CacheFixture(.disk)
    let gate = Gate()
    let slow = FaultInjectingStore(try fixture.disk())
    let cache = try Cache<String, Int>(name: "feature", time: fixture.clock.timeSource) {
      Memory()
      Store(slow)
    }
    try await cache.set(1, for: "k")
    cache.removeAllFromMemory()
    slow.inject(.delay(gate), on: .read, times: 1)
    let reader = OwnThread { cache["k"] }
    try await gate.waitForArrivals(1)
    try await cache.remove("k")
    gate.open()
    _ = await reader.value
    #expect(cache.peek("k") == nil)
    #expect(cache["k"] == nil)
    #expect(cache.isQuiet)
  }
}
