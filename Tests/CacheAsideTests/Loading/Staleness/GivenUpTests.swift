import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Loads that are given up: what they leave behind, and how often they count.
@Suite(.timeLimit(.minutes(60)))
struct GivenUpTests {
  private static let refreshing = CachePolicy(
    expiry: .seconds(1),
    staleWhileRevalidate: .seconds(1_000)
  )

  private let fixture: CacheFixture
  private let clock: ManualClock
  private let hung = GatedProducer<Int>(honoursCancellation: false)

  init() throws {
    fixture = try CacheFixture(.memory)
    clock = fixture.clock
  }

  private func impatient() -> CachePolicy {
    var policy = CachePolicy(expiry: .seconds(1), staleIfError: .seconds(1_000))
    policy.abandonAfter = .seconds(5)
    return policy
  }

  @Test func `closing leaves no timer of a load behind`() async throws {
    let cache = try fixture.open(policy: Self.refreshing)
    let producer = GatedProducer<Int>()
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(2))
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await clock.settle()
      try await cache.close()
      try await clock.advance(by: .seconds(3))
      #expect(clock.pendingSleeps == 0)
    }
  }

  @Test func `T4 a refresh that was given up and fails later is one failure`() async throws {
    let cache = try fixture.open(policy: Self.refreshing)
    let hung = hung
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(2))
      #expect(try await cache.cached("k") { try await hung() } == 1)
      try await clock.advance(by: .seconds(61))
      hung.fail(EngineError.boom)
      try await clock.settle()
      #expect(cache.statistics.refreshFailures == 1)
      #expect(cache.statistics.loadFailures == 1)
      #expect(cache.statistics.abandonedLoads == 1)
    }
    #expect(cache.isQuiet)
  }

  @Test func `T4 the same for a batch`() async throws {
    let fixture = try BatchFixture(.memory, honoursCancellation: false)
    let feature = try fixture.open(Self.refreshing)
    let fetch = fixture.batch(feature)
    let clock = fixture.clock
    try await clock.run {
      try await feature.integers.set(1, for: "n/1")
      try await clock.advance(by: .seconds(2))
      #expect(try await fetch([1]) == [1: 1])
      try await clock.advance(by: .seconds(61))
      fixture.source.producer.fail(EngineError.boom)
      try await clock.settle()
      #expect(feature.integers.statistics.refreshFailures == 1)
      #expect(feature.integers.statistics.loadFailures == 1)
    }
    #expect(feature.isQuiet)
  }

  @Test func `F2 what a producer makes of its cancellation is no failure`() async throws {
    let cache = try fixture.open()
    let hung = hung
    try await clock.run {
      let caller = clock.startTask { try await cache.cached("k") { try await hung() } }
      try await clock.settle()
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      hung.fail(EngineError.boom)
      try await clock.settle()
      #expect(cache.statistics.loadFailures == 0)
    }
    #expect(cache.isQuiet)
  }

  @Test func `T4 a load that shares nothing and is given up lets no producer rest`() async throws {
    let cache = try fixture.open(policy: impatient())
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(2))
      let bypass = clock.startTask { [hung] in
        try await cache.outcome("k", mode: .bypass) { Produced(try await hung()) }
      }
      try await clock.settle()
      try await clock.advance(by: .seconds(6))
      await #expect(throws: CacheError.self) { try await bypass.value }
      #expect(cache.rests.isEmpty)
      #expect(try await cache.cached("k") { 2 } == 2)
      hung.release(3)
      try await clock.settle()
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: [false, true])
  func `F4 a load that is given up lets its own key's producer rest, not that of what came later`(
    isExpired: Bool
  ) async throws {
    let cache = try fixture.open(policy: impatient())
    let hung = hung
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(2))
      let caller = clock.startTask { try await cache.cached("k") { try await hung() } }
      try await clock.settle()
      if isExpired { try await cache.expire("k") }
      try await clock.advance(by: .seconds(6))
      #expect(try await caller.value == 1)
      #expect(cache.rests.isEmpty == isExpired)
      hung.release(3)
      try await clock.settle()
    }
    #expect(cache.isQuiet)
  }

  @Test func `F4 a key that is removed while its failure is judged leaves no rest`() async throws {
    let target = Lock<Cache<String, Int>?>(nil)
    var policy = CachePolicy(expiry: .seconds(1), staleIfError: .seconds(1_000))
    policy.failures = FailureRule { _ in
      target.withLock { $0 }?["k"] = nil
      return true
    }
    let cache = try fixture.open(policy: policy)
    target.withLock { $0 = cache }
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(2))
      let value = try await cache.cached("k") { () async throws -> Int in throw EngineError.boom }
      #expect(value == 1)
      #expect(cache.rests.isEmpty)
      #expect(try await cache.cached("k") { 2 } == 2)
    }
    target.withLock { $0 = nil }
  }

  @Test func `T4 a load that ends while it is being given up comes too late`() {
    let table = FlightTable<Int, Int>(time: clock.timeSource)
    let (flight, slot, _) = table.enter(
      HashedKey(key: 1, hash: 1),
      supersedes: false,
      whenUnobserved: .cancel,
      priority: .medium
    )
    let ends = EventRecorder<Waiter.End>()
    #expect(flight.park(.callback { ends.record($0) }, in: slot) == nil)
    flight.giveUp {
      flight.complete(.success(1))
      #expect(ends.events.isEmpty)
      return .failure(EngineError.boom)
    }
    #expect(ends.events == [.ended])
    #expect(throws: EngineError.self) { try flight.result.get() }
    flight.giveUp {
      Issue.record("it has ended")
      return .success(2)
    }
    #expect(table.waiterCount + table.flightCount + table.registrationCount == 0)
  }
}
