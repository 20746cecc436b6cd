import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchTests {
  @Test(arguments: Setup.allCases)
  func `F1 of 100 keys, 40 cached and 20 in flight, one call loads exactly the other 40`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(CachePolicy(expiry: .minutes(5)))
    let fetch = fixture.batch(feature)
    let others = GatedProducer<Int>()
    let single = fixture.single(feature, others)
    try await fixture.clock.run {
      for id in 0..<40 { try await feature.integers.set(id, for: "n/\(id)") }
      let singles = (40..<60).map { id in fixture.clock.startTask { try await single(id) } }
      try await fixture.clock.settle()
      #expect(others.calls == 20)

      let caller = fixture.clock.startTask { try await fetch(Array((0..<100).reversed())) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [Array(60..<100)])
      for _ in singles { others.release(1) }
      fixture.source.answer(Array(60..<100))
      let values = try await caller.value
      for id in 0..<100 {
        #expect(values[id] == (id < 40 ? id : id < 60 ? 1 : 10 * id), "\(id)")
      }
      for task in singles { #expect(try await task.value == 1) }
      #expect(try await fetch(Array(0..<100)) == values)
    }
    #expect(fixture.source.calls.events.count == 1)
    let statistics = feature.statistics
    #expect(statistics.loads == 21)
    #expect(statistics.coalesced == 20)
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `F1 a later single load and another batch join a batch's keys`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let never = GatedProducer<Int>()
    let single = fixture.single(feature, never)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      let later = fixture.clock.startTask { try await single.outcome(2) }
      let other = fixture.clock.startTask { try await fetch([2, 3]) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2], [3]])
      fixture.source.answer([1, 2])
      fixture.source.answer([3])
      #expect(try await first.value == [1: 10, 2: 20])
      #expect(try await other.value == [2: 20, 3: 30])
      let outcome = try await later.value
      #expect(outcome.value == 20)
      #expect(outcome.source == .coalesced)
    }
    #expect(never.calls == 0)
    #expect(feature.isQuiet)
  }

  @Test func `outcomes keep order and duplicates, and absent ids are left out of values`()
    async throws
  {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([3, 1])
      let outcomes = await fetch.outcomes([3, 1, 2, 3, 1])
      #expect(outcomes.map(\.0) == [3, 1, 2, 3, 1])
      #expect(try outcomes.map { try $0.1.get() } == [30, 10, nil, 30, 10])
      #expect(fixture.source.calls.events == [[3, 1, 2]])
      #expect(try await fetch([2, 1, 1]) == [1: 10])
      #expect(try await fetch([]) == [:])
      try await fixture.clock.settle()
    }
    #expect(feature.isQuiet)
  }

  @Test func `two ids of one key are asked for once`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = feature.cachedBatch(key: { (id: Int) in CacheKey("n/\(id % 10)") }) {
      [source = fixture.source] (ids: [Int]) in
      try await source(ids)
    }
    fixture.source.answer([1, 11, 21])
    #expect(try await fetch([1, 11]) == [1: 10, 11: 10])
    #expect(fixture.source.calls.events == [[1]])
    #expect(feature.integers.peek("n/1") == 10)
  }

  @Test func `values that know their ids are stored by them`() async throws {
    struct Item: Identifiable, Equatable, Sendable {
      let id: Int
      let text: String
    }
    let calls = EventRecorder<[Int]>()
    let caches = Caches.inMemory
    try await Caches.withCurrent(caches) {
      let fetch = cachedBatch(key: { "item/\($0)" }) { (ids: [Int]) -> [Item] in
        calls.record(ids)
        return ids.filter { $0 != 2 }.map { Item(id: $0, text: "\($0)") }
      }
      let items = try await fetch([1, 2])
      #expect(items == [1: Item(id: 1, text: "1")])
      #expect(try await fetch([1, 2, 3]).keys.sorted() == [1, 3])
      #expect(fetch.key(for: 3) == "item/3")
    }
    #expect(calls.events == [[1, 2], [3]])
  }

  @Test(arguments: Setup.withStore)
  func `slower stores are asked for all keys at once and found keys are not loaded`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    try await fixture.clock.run {
      fixture.source.answer(Array(0..<50))
      _ = try await fixture.batch(try fixture.open())(Array(0..<50))
      let feature = try fixture.open()
      let fetch = fixture.batch(feature)
      fixture.source.answer(Array(50..<60))
      let values = try await fetch(Array(0..<60))
      #expect(values.count == 60)
      #expect(values[7] == 70)
      #expect(fixture.source.asked == [Array(0..<50), Array(50..<60)])
      #expect(feature.statistics.tiers[1].hits == 50)
      #expect(feature.integers.peek("n/7") == (setup.hasMemory ? 70 : nil))
    }
    guard setup == .suspending else { return }
    #expect(fixture.plain.count(of: .bulkRead) == 2)
    #expect(fixture.plain.count(of: .bulkWrite) == 2)
    #expect(fixture.plain.count(of: .read) == 0)
    #expect(fixture.plain.count(of: .write) == 0)
  }

  @Test func `a batch over the maximum is several calls at the same time`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature, maximum: 2)
    try await fixture.clock.run {
      let caller = fixture.clock.startTask { await fetch.outcomes([1, 2, 3, 4, 5]) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2], [3, 4], [5]])
      fixture.source.answer([1, 2])
      fixture.source.producer.fail(EngineError.boom)
      fixture.source.answer([5])
      let outcomes = try await caller.value
      #expect(outcomes.map { try? $0.1.get() } == [10, 20, nil, nil, 50])
      #expect(throws: EngineError.boom) { try outcomes[3].1.get() }
    }
    #expect(feature.isQuiet)
  }

  @Test func `one id under two scopes is asked for twice, and each gets its own (M67)`()
    async throws
  {
    let calls = EventRecorder<[Int]>()
    let fetch = try Caches.inMemory["f"].cachedBatch(key: { "u/\($0)" }) {
      (ids: [Int]) async throws -> [Int: Int] in
      calls.record(ids)
      let call = calls.events.count
      return Dictionary(uniqueKeysWithValues: ids.map { ($0, call) })
    }
    for _ in 0..<2 {
      for (call, user) in ["ada", "ben"].enumerated() {
        let values = try await Caches.withScope(["user": user]) { try await fetch([1]) }
        #expect(values == [1: call + 1])
      }
    }
    #expect(try await fetch([1]) == [1: 3])
    #expect(calls.events.count == 3)
  }
}
