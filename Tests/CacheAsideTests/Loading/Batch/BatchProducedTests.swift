import CacheAsideTesting
import Testing

@testable import CacheAside

/// Functions of many ids that decide how each value is stored.
@Suite(.timeLimit(.minutes(60)))
struct BatchProducedTests {
  /// A batch function whose answers are computed from the number of its call.
  private func batch(
    _ feature: CacheFeature,
    _ calls: EventRecorder<[Int]>,
    _ answer: @escaping @Sendable (_ id: Int, _ call: Int) -> Produced<Int>?
  ) -> BatchMemoized<Int, Int> {
    feature.cachedBatch(key: { "n/\($0)" }, expiry: .minutes(60)) {
      (ids: [Int]) async throws -> [Int: Produced<Int>] in
      calls.record(ids.sorted())
      let call = calls.events.count
      var answers: [Int: Produced<Int>] = [:]
      for id in ids { answers[id] = answer(id, call) }
      return answers
    }
  }

  @Test(arguments: Setup.allCases)
  func `each id has its own lifetime, and one that says nothing the call's`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let calls = EventRecorder<[Int]>()
    let fetch = batch(feature, calls) { id, call in
      switch id {
      case 1: Produced(call, expiry: .minutes(10))
      case 2: Produced(call)
      case 3: Produced(call, isStored: false)
      case 4: Produced(call, expiry: .seconds(0))
      default: nil
      }
    }
    try await fixture.clock.run {
      #expect(try await fetch([1, 2, 3, 4, 5]) == [1: 1, 2: 1, 3: 1, 4: 1])
      #expect(try await fetch([1, 2, 3, 4, 5]) == [1: 1, 2: 1, 3: 2, 4: 2])
      try await fixture.clock.advance(by: .seconds(660))
      #expect(try await fetch([1, 2]) == [1: 3, 2: 1])
      try await fixture.clock.advance(by: .seconds(3000))
      #expect(try await fetch([2]) == [2: 4])
    }
    #expect(calls.events == [[1, 2, 3, 4, 5], [3, 4], [1], [2]])
    #expect(feature.isQuiet)
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `each id has its own tags, validator and cost`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let calls = EventRecorder<[Int]>()
    let fetch = batch(feature, calls) { id, call in
      Produced(call, tags: id == 1 ? ["red"] : ["blue"], cost: 100 * id, validator: "v\(id)")
    }
    try await fixture.clock.run {
      #expect(try await fetch([1, 2]) == [1: 1, 2: 1])
      if setup.hasMemory { #expect(feature.statistics.cost == 300) }
      let previous = try await feature.integers.outcome("n/2", mode: .reload) {
        (previous: Previous<Int>?) in
        #expect(previous?.validator == "v2")
        return .notModified
      }
      #expect(previous.value == 1)
      try await feature.remove(.tag("red"))
      #expect(try await fetch([1, 2]) == [1: 2, 2: 1])
      try await feature.remove(.tag("blue"))
      #expect(try await fetch([1, 2]) == [1: 2, 2: 3])
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `F4 who joined a batch after the removal of a tag that its producer brings loads anew`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let gate = GatedProducer<[Int: Produced<Int>]>()
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (_: [Int]) in try await gate() }
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      try await feature.remove(.tag("red"))
      let joiner = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      #expect(gate.calls == 1)
      gate.release([1: Produced(1, tags: ["red"]), 2: Produced(2)])
      #expect(try await first.value == [1: 1, 2: 2])
      try await fixture.clock.settle()
      #expect(gate.calls == 2)
      gate.release([1: Produced(-1, tags: ["red"])])
      #expect(try await joiner.value == [1: -1, 2: 2])
    }
    #expect(feature.isQuiet)
  }

  @Test func `nothing to renew is an error of its id alone, and what comes along is stored`()
    async throws
  {
    let feature = try BatchFixture().open()
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (_: [Int]) in
      [1: Produced(10), 2: .notModified, 7: Produced(70, tags: ["more"]), 8: .notModified]
    }
    let outcomes = await fetch.outcomes([1, 2]).map(\.1)
    #expect(try outcomes[0].get() == 10)
    let error = #expect(throws: CacheError.self) { try outcomes[1].get() }
    #expect(error?.code == .unexpectedNotModified)
    #expect(feature.integers.peek("n/7") == 70)
    #expect(feature.integers.peek("n/8") == nil)
    let alone = await fetch.outcomes([2], mode: .bypass).map(\.1)
    #expect(throws: CacheError.self) { try alone[0].get() }
    #expect(feature.isQuiet)
  }

  @Test
  func `values that know their ids can be produced, and a plain throwing closure is no puzzle`()
    async throws
  {
    struct Item: Identifiable, Equatable, Sendable { let id: Int }
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    try await fixture.clock.run {
      let fetch = feature.cachedBatch(key: { "item/\($0)" }) { (ids: [Int]) in
        ids.map { Produced(Item(id: $0), expiry: $0 == 1 ? .seconds(0) : .minutes(10)) }
      }
      #expect(try await fetch([1, 2]) == [1: Item(id: 1), 2: Item(id: 2)])
      let cached = await fetch.outcomes([1, 2], mode: .cacheOnly).map(\.1)
      #expect(throws: CacheError.self) { try cached[0].get() }
      #expect(try cached[1].get() == Item(id: 2))
      let broken: BatchMemoized<Int, Int> = feature.cachedBatch(key: { "item/\($0)" }) {
        (_: [Int]) in throw EngineError.boom
      }
      await #expect(throws: EngineError.boom) { try await broken([3]) }
      try await Caches.withCurrent(Caches.inMemory(time: fixture.clock.timeSource)) {
        () async throws in
        let global = cachedBatch(key: { "item/\($0)" }) { (ids: [Int]) in
          ids.map { Produced(Item(id: $0)) }
        }
        let byID = cachedBatch(key: { "item/\($0)" }) { (ids: [Int]) -> [Int: Produced<Item>] in [:]
        }
        #expect(try await global([4]) == [4: Item(id: 4)])
        #expect(try await byID([4]) == [4: Item(id: 4)])
      }
    }
  }
}
