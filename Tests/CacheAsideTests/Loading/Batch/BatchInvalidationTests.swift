import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchInvalidationTests {
  @Test(arguments: Setup.allCases)
  func `F4 a removal during a batch concerns its own key only`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let own = GatedProducer<Int>()
    let single = fixture.single(feature, own)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1, 2, 3]) }
      try await fixture.clock.settle()
      try await feature.remove("n/1")
      try await feature.integers.set(-2, for: "n/2")
      let later = fixture.clock.startTask { try await single(1) }
      try await fixture.clock.settle()
      #expect(own.calls == 1)
      fixture.source.answer([1, 2, 3])
      #expect(try await first.value == [1: 10, 2: 20, 3: 30])
      own.release(-1)
      #expect(try await later.value == -1)
      #expect(try await fetch([1, 2, 3]) == [1: -1, 2: -2, 3: 30])
      #expect(try await feature.integers.values(for: ["n/1", "n/2", "n/3", "n/4"]).count == 3)
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `F4 an absence is not stored over a removal or a write`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      try await feature.remove("n/1")
      try await feature.integers.set(-2, for: "n/2")
      fixture.source.answer([])
      #expect(try await first.value == [:])
      fixture.source.answer([1])
      #expect(try await fetch([1, 2]) == [1: 10, 2: -2])
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `what the producer adds is stored as well`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1, 2, 3])
      #expect(try await fetch([1]) == [1: 10])
      try await fixture.clock.settle()
      #expect(try await fetch([2, 3]) == [2: 20, 3: 30])
    }
    #expect(fixture.source.asked == [[1]])
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `F4 what the producer adds is not stored over a change or beside another load`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let own = GatedProducer<Int>()
    let single = fixture.single(feature, own)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      try await feature.integers.set(-2, for: "n/2")
      try await feature.remove("n/3")
      let loading = fixture.clock.startTask { try await single(4) }
      try await fixture.clock.settle()
      fixture.source.answer(Array(1...5))
      #expect(try await first.value == [1: 10])
      try await fixture.clock.settle()
      let values = try await feature.integers.values(for: (1...5).map { "n/\($0)" as CacheKey })
      #expect(values == ["n/1": 10, "n/2": -2, "n/5": 50])
      own.release(-4)
      #expect(try await loading.value == -4)
      #expect(feature.integers.peek("n/4") == (setup.hasMemory ? -4 : nil))
      #expect(try await feature.integers.value(for: "n/4") == -4)
    }
    #expect(feature.isQuiet)
  }

  @Test func `F4 what the producer adds is not stored after everything was removed`() async throws {
    let fixture = try BatchFixture(.memoryAndDisk)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      try await feature.removeAll()
      fixture.source.answer([1, 2])
      #expect(try await first.value == [1: 10])
      try await fixture.clock.settle()
      #expect(try await feature.integers.values(for: ["n/1", "n/2"]) == [:])
    }
    #expect(feature.isQuiet)
  }

  enum Write: CaseIterable, Sendable { case assignment, update, set }

  @Test(arguments: Write.allCases)
  func `F4 what the producer adds is not stored over what was written meanwhile, in whatever way`(
    write: Write
  ) async throws {
    let fixture = try BatchFixture(.memory)
    let feature = try fixture.open(CachePolicy(expiry: .seconds(1_000)))
    let fetch = fixture.batch(feature)
    let integers = feature.integers
    try await fixture.clock.run {
      let batch = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      // Enough keys for every stripe of the flight table.
      for id in 2..<40 {
        switch write {
        case .assignment: integers["n/\(id)"] = -1
        case .update: try await integers.update("n/\(id)") { $0 = -1 }
        case .set: try await integers.set(-1, for: "n/\(id)")
        }
      }
      fixture.source.answer(Array(1..<40))
      #expect(try await batch.value == [1: 10])
      try await fixture.clock.settle()
      #expect((2..<40).allSatisfy { integers.peek("n/\($0)") == -1 })
      // Nobody watches any more: an assignment is one step again.
      #expect(integers.setAtOnce(7, for: "n/7"))
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: [false, true])
  func `F4 who joined a batch after the removal of a tag that a slower store knows loads anew`(
    joinsAsBatch: Bool
  ) async throws {
    let store = try ChangeBarrierTests.HoldingStore("holding")
    let caches = try Caches {
      Feature("feature") {
        Memory()
        Store(store, readDeadline: .unlimited, writeDeadline: .unlimited)
      }
    }
    let feature = try caches["feature"]
    let source = BatchSource()
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) in try await source(ids) }
    _ = try await feature.integers.outcome("n/1") { Produced(-1, tags: ["red"]) }
    feature.integers.removeAllFromMemory()
    // The batch has read the record, and waits with it in hand.
    let reading = Gate()
    store.reading.withLock { $0 = reading }
    let first = Task { try await fetch([1]) }
    try await reading.waitForArrivals(1)
    store.reading.withLock { $0 = nil }
    try await feature.remove(.tag("red"))
    let joiner = Task {
      if joinsAsBatch { return try await fetch([1])[1] }
      return try await feature.integers.cached("n/1") { () async throws -> Int in 10 }
    }
    await feature.integers.waiters(2)
    reading.open()
    #expect(try await first.value == [1: -1])
    if joinsAsBatch {
      try await source.producer.waitForRuns(1)
      source.answer([1])
    }
    #expect(try await joiner.value == 10)
    #expect(try await feature.integers.value(for: "n/1") == 10)
    #expect(feature.isQuiet)
  }

  @Test func `F4 a batch that joins a load after the removal of its tag loads anew`() async throws {
    let fixture = try BatchFixture(.memory)
    let feature = try fixture.open(CachePolicy(expiry: .seconds(1_000)))
    let fetch = fixture.batch(feature)
    let old = GatedProducer<Int>()
    try await fixture.clock.run {
      let first = fixture.clock.startTask {
        try await feature.integers.outcome("n/1") { Produced(try await old(), tags: ["x"]) }.value
      }
      try await fixture.clock.settle()
      try await feature.remove(.tag("x"))
      let batch = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      old.release(-1)
      try await fixture.clock.settle()
      fixture.source.answer([1])
      #expect(try await batch.value == [1: 10])
      #expect(try await first.value == -1)
    }
    #expect(feature.isQuiet)
  }
}
