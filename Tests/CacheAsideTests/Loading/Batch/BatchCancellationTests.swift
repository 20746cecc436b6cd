import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchCancellationTests {
  @Test(arguments: Setup.allCases)
  func `F2 one caller cancelled leaves the others, and the last takes the load along`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let single = fixture.single(feature, GatedProducer<Int>())
    try await fixture.clock.run {
      let leader = fixture.clock.startTask { try await fetch([1, 2, 3]) }
      try await fixture.clock.settle()
      let batch = fixture.clock.startTask { try await fetch([2]) }
      let one = fixture.clock.startTask { try await single(3) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2, 3]])

      leader.cancel()
      await #expect(throws: CancellationError.self) { try await leader.value }
      one.cancel()
      await #expect(throws: CancellationError.self) { try await one.value }
      #expect(fixture.source.producer.cancellations == 0)
      batch.cancel()
      await #expect(throws: CancellationError.self) { try await batch.value }
      try await fixture.clock.settle()
      #expect(fixture.source.producer.cancellations == 1)
      #expect(feature.isQuiet)

      fixture.source.answer([1, 2])
      #expect(try await fetch([1, 2]) == [1: 10, 2: 20])
      #expect(fixture.source.asked == [[1, 2, 3], [1, 2]])
    }
  }

  @Test func `F2 what a cancelled load still makes is neither stored nor delivered`() async throws {
    let fixture = try BatchFixture(.memoryAndDisk, honoursCancellation: false)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      #expect(fixture.source.producer.cancellations == 1)
      let second = fixture.clock.startTask { try await fetch([2]) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2], [2]])
      fixture.source.producer.release([1: -1, 2: -2, 3: -3])
      try await fixture.clock.settle()
      #expect(try await feature.integers.entry(for: "n/1") == nil)
      #expect(try await feature.integers.entry(for: "n/3") == nil)
      fixture.source.answer([2])
      #expect(try await second.value == [2: 20])
      #expect(feature.integers.peek("n/2") == 20)
    }
    #expect(feature.isQuiet)
  }

  @Test func `a call of the producer none of whose ids is wanted is cancelled alone`()
    async throws
  {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature, maximum: 2)
    try await fixture.clock.run {
      let leader = fixture.clock.startTask { try await fetch([1, 2, 3, 4]) }
      try await fixture.clock.settle()
      let other = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      leader.cancel()
      await #expect(throws: CancellationError.self) { try await leader.value }
      try await fixture.clock.settle()
      #expect(fixture.source.producer.cancellations == 1)
      fixture.source.answer([1, 2])
      #expect(try await other.value == [1: 10])
      #expect(feature.integers.peek("n/2") == nil)
    }
    #expect(feature.isQuiet)
  }

  @Test func `a cancelled caller still gets hits and loads nothing`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    try await feature.integers.set(1, for: "n/1")
    let caller = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await fetch.outcomes([1, 2]).map(\.1)
    }
    let outcomes = await caller.value
    #expect(try outcomes[0].get() == 1)
    #expect(throws: CancellationError.self) { try outcomes[1].get() }
    #expect(fixture.source.asked.isEmpty)
  }

  @Test func `F2 with whenUnobserved finish the load goes on and is stored`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open(CachePolicy(whenUnobserved: .finish))
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      let caller = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      #expect(fixture.source.producer.cancellations == 0)
      fixture.source.answer([1, 2])
      try await fixture.clock.settle()
      #expect(try await fetch([1, 2]) == [1: 10, 2: 20])
    }
    #expect(feature.isQuiet)
  }
}
