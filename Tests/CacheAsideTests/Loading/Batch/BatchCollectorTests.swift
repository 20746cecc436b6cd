import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchCollectorTests {
  @Test(arguments: Setup.allCases)
  func `calls within a window are loaded together`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature).batching(maximum: 100, window: .seconds(0.01))
    let clock = fixture.clock
    try await clock.run {
      let first = clock.startTask { try await fetch(1) }
      try await clock.advance(by: .milliseconds(6))
      let others = [2, 3, 1].map { id in clock.startTask { try await fetch(id) } }
      try await clock.advance(by: .milliseconds(3))
      #expect(fixture.source.asked.isEmpty)
      try await clock.advance(by: .milliseconds(1))
      #expect(fixture.source.asked == [[1, 2, 3]])
      fixture.source.answer([1, 2])
      #expect(try await first.value == 10)
      #expect(try await others[0].value == 20)
      #expect(try await others[1].value == nil)
      #expect(try await others[2].value == 10)
      // What is in memory is there at once; stores are asked with the window.
      let again = [2, 3].map { id in clock.startTask { try await fetch(id) } }
      try await clock.settle()
      #expect(feature.isQuiet == setup.hasMemory)
      try await clock.advance(by: .milliseconds(10))
      #expect(try await again[0].value == 20)
      #expect(try await again[1].value == nil)

      let later = clock.startTask { try await fetch(4) }
      try await clock.advance(by: .milliseconds(10))
      fixture.source.producer.fail(EngineError.boom)
      await #expect(throws: EngineError.boom) { try await later.value }
      #expect(fixture.source.asked == [[1, 2, 3], [4]])
      if setup == .memory { #expect(clock.pendingSleeps == 0) }
    }
    #expect(feature.isQuiet)
  }

  @Test func `enough ids are loaded without waiting for the window`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature).batching(maximum: 2, window: .seconds(10))
    let clock = fixture.clock
    try await clock.run {
      let calls = (1...5).map { id in clock.startTask { try await fetch(id) } }
      try await clock.settle()
      #expect(fixture.source.asked == [[1, 2], [3, 4]])
      try await clock.advance(by: .seconds(10))
      #expect(fixture.source.asked == [[1, 2], [3, 4], [5]])
      fixture.source.answer([1, 2])
      fixture.source.answer([3, 4])
      fixture.source.answer([5])
      for (id, call) in zip(1...5, calls) { #expect(try await call.value == 10 * id) }
      #expect(clock.pendingSleeps == 0)
    }
    #expect(feature.isQuiet)
  }

  @Test func `F2 one caller cancelled leaves the others, its id is not asked for`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature).batching(maximum: 100, window: .seconds(0.01))
    let clock = fixture.clock
    try await clock.run {
      let calls = [1, 2, 3].map { id in clock.startTask { try await fetch(id) } }
      try await clock.settle()
      calls[0].cancel()
      await #expect(throws: CancellationError.self) { try await calls[0].value }
      try await clock.advance(by: .milliseconds(10))
      #expect(fixture.source.asked == [[2, 3]])
      calls[1].cancel()
      await #expect(throws: CancellationError.self) { try await calls[1].value }
      #expect(fixture.source.producer.cancellations == 0)
      fixture.source.answer([2, 3])
      #expect(try await calls[2].value == 30)
    }
    #expect(feature.isQuiet)
  }

  @Test func `when all callers are cancelled within the window nothing is asked for`()
    async throws
  {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature).batching(maximum: 100, window: .seconds(0.01))
    let clock = fixture.clock
    try await clock.run {
      let call = clock.startTask { try await fetch(1) }
      try await clock.settle()
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      try await clock.settle()
      #expect(feature.isQuiet)
      #expect(clock.pendingSleeps == 0)
      let next = clock.startTask { try await fetch(1) }
      try await clock.advance(by: .milliseconds(10))
      fixture.source.answer([1])
      #expect(try await next.value == 10)
    }
    #expect(fixture.source.asked == [[1]])
  }

  @Test func `F1 a collected id is joined by single loads and batches, and joins them`()
    async throws
  {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let batch = fixture.batch(feature)
    let fetch = batch.batching(maximum: 100, window: .seconds(0.01))
    let own = GatedProducer<Int>()
    let single = fixture.single(feature, own)
    let clock = fixture.clock
    try await clock.run {
      let running = clock.startTask { try await single(2) }
      try await clock.settle()
      let calls = [1, 2].map { id in clock.startTask { try await fetch(id) } }
      try await clock.settle()
      let joined = clock.startTask { try await single(1) }
      let joining = clock.startTask { try await batch([1]) }
      try await clock.advance(by: .milliseconds(10))
      #expect(fixture.source.asked == [[1]])
      #expect(own.calls == 1)
      fixture.source.answer([1])
      own.release(-2)
      #expect(try await calls[0].value == 10)
      #expect(try await calls[1].value == -2)
      #expect(try await joined.value == 10)
      #expect(try await joining.value == [1: 10])
      #expect(try await running.value == -2)
    }
    #expect(feature.isQuiet)
  }
}
