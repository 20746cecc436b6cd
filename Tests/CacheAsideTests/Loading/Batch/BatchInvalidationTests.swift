import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(5)))
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
}
