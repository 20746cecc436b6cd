import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct UnobservedTests {
  @Test(arguments: Setup.allCases)
  func `F2 by default the last caller to leave cancels the producer`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let callers = (0..<2).map { _ in call(cache, producer) }
    await cache.waiters(2)
    try await producer.waitForRuns(1)
    callers[0].cancel()
    await #expect(throws: CancellationError.self) { try await callers[0].value }
    #expect(producer.cancellations == 0)
    callers[1].cancel()
    await #expect(throws: CancellationError.self) { try await callers[1].value }
    await until { producer.cancellations == 1 }
    #expect(try await cache.cached("k") { 2 } == 2)
    await until { cache.isQuiet }
    #expect(cache.statistics.loadFailures == 0)
  }

  @Test(arguments: Setup.allCases)
  func `F2 what a cancelled producer returns all the same is not stored`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>(honoursCancellation: false)
    let caller = call(cache, producer)
    try await producer.waitForRuns(1)
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    let next = GatedProducer<Int>()
    let second = call(cache, next)
    try await next.waitForRuns(1)
    producer.release(1)
    await until { cache.flights.flightCount == 1 }
    #expect(try await fixture.isEmpty(cache))
    next.release(2)
    #expect(try await second.value == 2)
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test(arguments: Setup.allCases)
  func `F2 finish lets the load go on, joinable, and stores it`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: CachePolicy(whenUnobserved: .finish))
    let producer = GatedProducer<Int>()
    let first = call(cache, producer)
    try await producer.waitForRuns(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = call(cache, producer)
    await cache.waiters(1)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    producer.release(1)
    await until { cache.isQuiet }
    #expect(producer.calls == 1)
    #expect(producer.cancellations == 0)
    #expect(try await cache.cached("k") { 2 } == 1)
    if setup != .memory { #expect(try await fixture.open().value(for: "k") == 1) }
  }

  @Test(arguments: [Setup.memory, .memoryAndDisk], [true, false])
  func `F2 finish within a time is stored before it and cancelled at it`(
    setup: Setup,
    isInTime: Bool
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let policy = CachePolicy(whenUnobserved: .finish(within: .seconds(5)))
    let caller = call(cache, producer, policy: policy)
    try await producer.waitForRuns(1)
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    try await fixture.clock.advance(by: .milliseconds(4_999))
    #expect(producer.cancellations == 0)
    if isInTime {
      producer.release(1)
    } else {
      try await fixture.clock.advance(by: .milliseconds(1))
    }
    await until { cache.isQuiet }
    #expect(producer.cancellations == (isInTime ? 0 : 1))
    #expect(try await cache.value(for: "k") == (isInTime ? 1 : nil))
  }

  @Test func `F2 a caller that is cancelled already loads nothing and is not counted`()
    async throws
  {
    let cache = try CacheFixture(.memory).open()
    let producer = CountingProducer<Int>.returning(1)
    let caller = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await cache.cached("k") { try await producer() }
    }
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(producer.calls == 0)
    #expect(cache.statistics.lookups == 0)
  }

  @TaskLocal private static var request = "none"

  @Test(arguments: Setup.allCases)
  func `F8 the producer sees the leader's task-locals and priority`(setup: Setup) async throws {
    let cache = try CacheFixture(setup).open(String.self)
    let value = try await Self.$request.withValue("leader") {
      try await Task(priority: .high) {
        try await cache.cached("k") { "\(Self.request) \(Task.currentPriority >= .high)" }
      }.value
    }
    #expect(value == "leader true")
  }
}
