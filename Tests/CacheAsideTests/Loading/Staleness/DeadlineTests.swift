import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct DeadlineTests {
  private func policy(
    soft: Window? = nil,
    hard: Window? = nil,
    abandon: Window? = nil
  ) -> CachePolicy {
    var policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(100))
    policy.softTimeout = soft
    policy.hardTimeout = hard
    policy.abandonAfter = abandon
    return policy
  }

  @Test(arguments: Setup.allCases)
  func `T4 after the soft timeout a caller takes what is stale, and the load goes on`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: policy(soft: .seconds(2)))
    let clock = fixture.clock
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(5))
      let sleeps = clock.pendingSleeps
      let producer = GatedProducer<Int>()
      let caller = clock.startTask {
        try await cache.outcome("k") { Produced(try await producer()) }
      }
      try await clock.advance(by: .milliseconds(1_999))
      #expect(cache.flights.waiterCount == 1)
      try await clock.advance(by: .milliseconds(1))
      let outcome = try await caller.value
      #expect(outcome.value == 1)
      #expect(outcome.source == .stale(.softTimeout))
      #expect(cache.flights.waiterCount == 0)
      #expect(producer.cancellations == 0)
      producer.release(2)
      try await clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
      #expect(clock.pendingSleeps == sleeps)
    }
    #expect(cache.statistics.staleFallbacks == 1)
    #expect(cache.isQuiet)
  }

  @Test func `T4 without anything stale the soft timeout has no effect`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: policy(soft: .seconds(2)))
    let clock = fixture.clock
    try await clock.run {
      let producer = GatedProducer<Int>()
      let caller = clock.startTask { try await cache.cached("k") { try await producer() } }
      try await clock.advance(by: .seconds(10))
      #expect(cache.flights.waiterCount == 1)
      producer.release(2)
      #expect(try await caller.value == 2)
    }
  }

  @Test(arguments: Setup.allCases)
  func `T4 F2 after the hard timeout the caller gives up and the load is stored`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: policy(hard: .seconds(3)))
    let clock = fixture.clock
    try await clock.run {
      let producer = GatedProducer<Int>()
      let callers = (0..<2).map { _ in
        clock.startTask { try await cache.cached("k") { try await producer() } }
      }
      try await clock.advance(by: .seconds(3))
      for caller in callers {
        let error = await #expect(throws: CacheError.self) { try await caller.value }
        #expect(error?.code == .timedOut)
      }
      #expect(producer.cancellations == 0)
      // Those who timed out have not left: a later caller that leaves does not end the load.
      let later = clock.startTask { try await cache.cached("k") { 9 } }
      try await clock.settle()
      later.cancel()
      await #expect(throws: CancellationError.self) { try await later.value }
      producer.release(2)
      try await clock.settle()
      #expect(cache.peek("k") == 2 || !setup.hasMemory)
      #expect(try await cache.cached("k") { 3 } == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `T4 a load that takes too long is cancelled, its key is free, and nothing late is stored`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: policy(abandon: .seconds(4)))
    let clock = fixture.clock
    try await clock.run {
      let producer = GatedProducer<Int>(honoursCancellation: false)
      let callers = (0..<2).map { _ in
        clock.startTask { try await cache.cached("k") { try await producer() } }
      }
      try await clock.advance(by: .seconds(4))
      for caller in callers {
        let error = await #expect(throws: CacheError.self) { try await caller.value }
        #expect(error?.code == .abandoned)
      }
      #expect(producer.cancellations == 1)
      #expect(cache.flights.registrationCount == 0)
      #expect(cache.flights.waiterCount == 0)
      #expect(try await cache.cached("k") { 2 } == 2)
      producer.release(1)
      try await clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
    }
    #expect(cache.isQuiet)
    #expect(cache.statistics.loadFailures == 1)
  }

  @Test func `T4 those who wait for an abandoned load get what is stale`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: policy(abandon: .seconds(4)))
    let clock = fixture.clock
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(5))
      let producer = GatedProducer<Int>()
      let caller = clock.startTask {
        try await cache.outcome("k") { Produced(try await producer()) }
      }
      try await clock.advance(by: .seconds(4))
      #expect(try await caller.value.source == .stale(.loadFailed))
      #expect(try await cache.outcome("k") { Produced(2) }.source == .stale(.resting))
    }
  }

  @Test func `T4 a background load is given up after a minute and may be tried again`() async throws
  {
    let fixture = try CacheFixture(.memory)
    let clock = fixture.clock
    var policy = CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .hours(1))
    policy.retryAfterFailure = .zero
    let cache = try fixture.open(policy: policy)
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(5))
      let producer = GatedProducer<Int>(honoursCancellation: false)
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await clock.advance(by: .milliseconds(59_999))
      #expect(producer.cancellations == 0)
      try await clock.advance(by: .milliseconds(1))
      #expect(producer.cancellations == 1)
      #expect(try await cache.cached("k") { 2 } == 1)
      try await clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
      producer.release(9)
      try await clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
    }
  }

  @Test func `timeouts that contradict each other are refused`() async throws {
    let fixture = try CacheFixture(.memory)
    #expect(throws: CacheError.self) {
      try fixture.open(policy: policy(soft: .seconds(3), hard: .seconds(2)))
    }
    #expect(throws: CacheError.self) {
      try fixture.open(policy: policy(hard: .seconds(3), abandon: .seconds(2)))
    }
    let cache = try fixture.open(policy: policy(hard: .seconds(3)))
    let error = await #expect(throws: CacheError.self) {
      var wrong = CachePolicy()
      wrong.softTimeout = .seconds(4)
      return try await cache.cached("k", policy: wrong) { 1 }
    }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test func `abandonAfter is ten times the larger timeout unless it is said`() throws {
    var fields = CachePolicy.Fields()
    fields.softTimeout = .seconds(1)
    fields.hardTimeout = .seconds(3)
    #expect(try LoadLimits(fields).abandon == 30_000_000_000)
    fields.hardTimeout = .unlimited
    #expect(try LoadLimits(fields).abandon == 10_000_000_000)
    #expect(try LoadLimits(CachePolicy.Fields()).abandon == .max)
  }

  @Test func `T4 the hard timeout counts from the call, whatever happens to the load`() async throws
  {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: policy(hard: .seconds(10)))
    let clock = fixture.clock
    let slow = GatedProducer<Int>()
    let hung = GatedProducer<Int>(honoursCancellation: false)
    try await clock.run {
      let first = clock.startTask {
        try await cache.outcome("k") { () async throws -> Produced<Int> in
          Produced(try await slow(), tags: ["x"])
        }.value
      }
      try await clock.settle()
      try await cache.remove(CacheSelector.tag("x"))
      let second = clock.startTask { try await cache.cached("k") { try await hung() } }
      try await clock.settle()
      try await clock.advance(by: .seconds(9))
      // What it has joined was invalidated before it came, so it looks again and leads a load.
      slow.release(1)
      try await clock.settle()
      #expect(hung.calls == 1)
      #expect(cache.flights.waiterCount == 1)
      try await clock.advance(by: .seconds(1))
      #expect(cache.flights.waiterCount == 0)
      let error = await #expect(throws: CacheError.self) { try await second.value }
      #expect(error?.code == .timedOut)
      hung.release(2)
      #expect(try await first.value == 1)
    }
    #expect(cache.isQuiet)
  }
}
