import CacheAsideTesting
import Testing

@testable import CacheAside

/// When a source hangs, readers get the old value.
@Suite(.timeLimit(.minutes(60)))
struct HardTimeoutTests {
  private static var policy: CachePolicy {
    var policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(100))
    policy.hardTimeout = .seconds(3)
    return policy
  }

  @Test(arguments: Setup.allCases)
  func `all who wait for a load that hangs get the stale value (B391)`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    let producer = GatedProducer<Int>()
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(5))
      let callers = (0..<3).map { _ in
        clock.startTask { try await cache.outcome("k") { Produced(try await producer()) } }
      }
      try await clock.advance(by: .milliseconds(2_999))
      #expect(cache.flights.waiterCount == 3)
      try await clock.advance(by: .milliseconds(1))
      for caller in callers {
        let outcome = try await caller.value
        #expect(outcome.value == 1)
        #expect(outcome.source == .stale(.hardTimeout))
      }
      let (_, trace) = try await CacheTrace.record {
        let caller = clock.startTask { try await cache.cached("k") { try await producer() } }
        try await clock.advance(by: .seconds(3))
        #expect(try await caller.value == 1)
      }
      #expect(trace.entries.map(\.rule) == [.hardTimeout])
      #expect(producer.calls == 1)
      producer.release(2)
      try await clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
    }
    #expect(cache.statistics.timeouts == 0)
    #expect(cache.statistics.staleFallbacks == 4)
    #expect(cache.isQuiet)
  }

  @Test func `without a stale value the call throws timedOut (B391)`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    let producer = GatedProducer<Int>()
    try await clock.run {
      let absent = clock.startTask { try await cache.cached("k") { try await producer() } }
      try await clock.advance(by: .seconds(3))
      let error = await #expect(throws: CacheError.self) { try await absent.value }
      #expect(error?.code == .timedOut)
      producer.release(1)
      try await clock.settle()
      // One whose window ends before the caller's patience.
      try await clock.advance(by: .milliseconds(103_000))
      let late = clock.startTask { try await cache.cached("k") { try await producer() } }
      try await clock.advance(by: .seconds(3))
      await #expect(throws: CacheError.self) { try await late.value }
      producer.release(2)
      try await clock.settle()
    }
    #expect(cache.statistics.timeouts == 2)
    #expect(cache.isQuiet)
  }

  @Test func `a caller by callback gets the stale value (B391)`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    let results = EventRecorder<CacheSource?>()
    let answers = EventRecorder<@Sendable (Int, Expiry) -> Void>()
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(5))
      for _ in 0..<2 {
        cache.load(
          "k",
          block: { success, _ in answers.record(success) },
          completion: { results.record(try? $0.get().source) }
        )
      }
      try await clock.advance(by: .seconds(3))
      #expect(results.events == [.stale(.hardTimeout), .stale(.hardTimeout)])
      answers.removeAll().first?(2, .never)
      try await clock.settle()
      #expect(cache.peek("k") == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `a batch gets the stale value of each key that has one (B391)`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy)
    let batch = fixture.batch(feature)
    let clock = fixture.clock
    try await clock.run {
      try await feature.integers.set(1, for: "n/1")
      try await clock.advance(by: .seconds(5))
      let caller = clock.startTask { await batch.outcomes([1, 2]) }
      try await clock.advance(by: .seconds(3))
      let outcomes = try await caller.value
      #expect(try outcomes[0].1.get() == 1)
      let error = #expect(throws: CacheError.self) { try outcomes[1].1.get() }
      #expect(error?.code == .timedOut)
      fixture.source.answer([1, 2])
      try await clock.settle()
    }
    #expect(feature.isQuiet)
  }
}
