import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct RetriesTests {
  private static func policy(_ retries: Retries, hard: Window? = nil) -> CachePolicy {
    var policy = CachePolicy()
    policy.retries = retries
    policy.hardTimeout = hard
    return policy
  }

  @Test func `a failed producer is asked again, with growing pauses on the clock`() async throws {
    let fixture = try CacheFixture(.memory)
    let clock = fixture.clock
    let cache = try fixture.open(policy: Self.policy(Retries(3, pause: .seconds(1), factor: 3)))
    let producer = CountingProducer<Int> { run in
      if run < 4 { throw EngineError.net }
      return run
    }
    try await clock.run {
      let caller = clock.startTask { try await cache.cached("k") { try await producer() } }
      for (pause, calls) in [(0, 1), (1, 2), (3, 3)] {
        try await clock.advance(by: .seconds(pause))
        #expect(producer.calls == calls)
      }
      try await clock.advance(by: .seconds(8))
      #expect(producer.calls == 3)
      try await clock.advance(by: .seconds(1))
      #expect(try await caller.value == 4)
    }
    #expect(cache.statistics.loadFailures == 3)
    #expect(cache.statistics.loads == 1)
    #expect(cache.statistics.misses == 1)
  }

  @Test func `the last error is thrown when all attempts fail`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy(Retries(2)))
    let producer = CountingProducer<Int> { run in throw run == 3 ? EngineError.boom : .net }
    await #expect(throws: EngineError.boom) {
      try await cache.cached("k") { try await producer() }
    }
    #expect(producer.calls == 3)
  }

  @Test func `neither a cancellation nor what is no failure is tried again`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = Self.policy(Retries(5))
    policy.failures = FailureRule { ($0 as? EngineError) != .boom }
    let cache = try fixture.open(policy: policy)
    let boom = CountingProducer<Int>.failing(EngineError.boom)
    await #expect(throws: EngineError.boom) { try await cache.cached("k") { try await boom() } }
    #expect(boom.calls == 1)
    let cancelled = CountingProducer<Int>.failing(CancellationError())
    await #expect(throws: CancellationError.self) {
      try await cache.cached("k") { try await cancelled() }
    }
    #expect(cancelled.calls == 1)
  }

  @Test func `leaving ends the pauses, and none ends after the hard timeout`() async throws {
    let fixture = try CacheFixture(.memory)
    let clock = fixture.clock
    let cache = try fixture.open(
      policy: Self.policy(Retries(5, pause: .seconds(2)), hard: .seconds(5))
    )
    let producer = CountingProducer<Int>.failing(EngineError.net)
    try await clock.run {
      let caller = clock.startTask { try await cache.cached("k") { try await producer() } }
      try await clock.advance(by: .seconds(1))
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      try await clock.settle()
      #expect(clock.pendingSleeps == 0)
      #expect(producer.calls == 1)
      let second = clock.startTask { try await cache.cached("k") { try await producer() } }
      // At 0, 2, and 6 would be too late.
      try await clock.advance(by: .seconds(3))
      await #expect(throws: EngineError.net) { try await second.value }
      #expect(producer.calls == 3)
    }
  }
}
