import CacheAsideTesting
import Testing

@testable import CacheAside

/// Producers that never answer, many at once.
@Suite(.timeLimit(.minutes(60)))
struct HungProducerTests {
  private static var policy: CachePolicy {
    var policy = CachePolicy(expiry: .seconds(60))
    policy.abandonAfter = .seconds(10)
    return policy
  }

  /// Whose life shows who holds it.
  private final class Token: Sendable {}

  private final class Weak: Sendable {
    let isAlive: @Sendable () -> Bool
    init(_ token: Token) { isAlive = { [weak token] in token != nil } }
  }

  @Test func `T4 ten thousand hung loads that honour cancellation leave nothing behind`()
    async throws
  {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    let tokens = EventRecorder<Weak>()
    let callers = (0..<10_000).map { index in
      clock.startTask {
        let token = Token()
        tokens.record(Weak(token))
        let producer = GatedProducer<Int>()
        return try await cache.cached("\(index)") {
          defer { withExtendedLifetime(token) {} }
          return try await producer()
        }
      }
    }
    try await clock.settle()
    #expect(cache.flights.flightCount == 10_000)
    #expect(cache.flights.registrationCount == 10_000)
    #expect(clock.pendingSleeps == 1)
    try await clock.advance(by: .seconds(10))
    var codes: [CacheError.Code: Int] = [:]
    for caller in callers {
      if case .failure(let error as CacheError) = await caller.result {
        codes[error.code, default: 0] += 1
      }
    }
    #expect(codes == [.abandoned: 10_000])
    #expect(cache.isQuiet)
    #expect(cache.count == 0)
    #expect(clock.pendingSleeps == 0)
    #expect(!tokens.events.contains { $0.isAlive() })
  }

  @Test(arguments: [Setup.memory, .memoryAndDisk])
  func `T4 hung loads that ignore cancellation hold nothing but themselves, and store nothing late`(
    setup: Setup
  ) async throws {
    let count = 200
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    let producer = GatedProducer<Int>(honoursCancellation: false)
    let (joiners, sleeps) = (EventRecorder<Weak>(), setup.hasMemory && setup != .memory ? 1 : 0)
    let callers = (0..<2 * count).map { index in
      clock.startTask {
        let token = Token()
        defer { withExtendedLifetime(token) {} }
        if index >= count { joiners.record(Weak(token)) }
        return try await cache.cached("\(index % count)") { try await producer() }
      }
    }
    try await clock.settle()
    #expect(producer.waiting == count)
    #expect(cache.flights.waiterCount == 2 * count)
    try await clock.advance(by: .seconds(10))
    for caller in callers {
      guard case .failure(let error as CacheError) = await caller.result else { continue }
      #expect(error.code == .abandoned)
    }
    #expect(joiners.events.count == count)
    #expect(!joiners.events.contains { $0.isAlive() })
    #expect(producer.cancellations == count)
    #expect(cache.flights.waiterCount == 0)
    #expect(cache.flights.registrationCount == 0)
    #expect(cache.flights.flightCount == count)
    #expect(clock.pendingSleeps == sleeps)

    // Their keys are free: half of them are loaded anew. Then all of the hung ones answer.
    for index in 0..<count / 2 {
      let value = try await clock.run { try await cache.cached("\(index)") { 2 } }
      #expect(value == 2)
    }
    for _ in 0..<count { producer.release(1) }
    try await clock.settle()
    #expect(cache.isQuiet)
    #expect(cache.count == count / 2)
    for index in 0..<count {
      let entry = try await clock.run { try await cache.entry(for: "\(index)") }
      #expect(entry?.value == (index < count / 2 ? 2 : nil))
      if setup != .memory {
        #expect((try await fixture.record("\(index)") != nil) == (entry != nil))
      }
    }
  }
}
