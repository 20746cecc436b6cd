import CacheAsideTesting
import Testing

@testable import CacheAside

/// What limits of loads and callers cost when there are many of them.
@Suite(.timeLimit(.minutes(60)))
struct LoadLimitScaleTests {
  private static var policy: CachePolicy {
    var policy = CachePolicy(expiry: .never)
    policy.hardTimeout = .seconds(10)
    policy.abandonAfter = .seconds(20)
    return policy
  }

  /// The timers that loads with limits start, all of them under way at once.
  private func timers(loads count: Int) async throws -> Int {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy)
    let (clock, producer) = (fixture.clock, GatedProducer<Int>())
    let log = try await WorkLog.recording {
      let callers = (0..<count).map { key in
        clock.startTask { try await cache.cached("\(key)") { try await producer() } }
      }
      try await clock.settle()
      #expect(clock.pendingSleeps == 1)
      for _ in 0..<count { producer.release(1) }
      for caller in callers { #expect(try await caller.value == 1) }
    }
    try await clock.settle()
    #expect(clock.pendingSleeps == 0)
    return log[.timer]
  }

  @Test func `all loads with a limit have one timer, and leave none (B405)`() async throws {
    let few = try await timers(loads: 100)
    let many = try await timers(loads: 1_000)
    #expect(few >= 1)
    #expect(many <= few)
  }

  @Test func `a load in the background leaves no deadline behind (B405)`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(
      policy: CachePolicy(expiry: .seconds(1), staleWhileRevalidate: .seconds(1_000))
    )
    let (clock, producer) = (fixture.clock, GatedProducer<Int>())
    try await clock.run {
      for key in 0..<200 { try await cache.set(1, for: "\(key)") }
      try await clock.advance(by: .seconds(2))
      let queue = DeadlineQueue.of(clock)
      let (sleeps, deadlines) = (clock.pendingSleeps, queue.count)
      for key in 0..<200 {
        #expect(try await cache.cached("\(key)") { try await producer() } == 1)
      }
      try await clock.settle()
      #expect(producer.waiting == 200)
      #expect(clock.pendingSleeps <= sleeps + 1)
      #expect(queue.count == deadlines + 200)
      for _ in 0..<200 { producer.release(2) }
      try await clock.settle()
      #expect(clock.pendingSleeps == sleeps)
      #expect(queue.count <= deadlines)
    }
    #expect(cache.isQuiet)
  }
}
