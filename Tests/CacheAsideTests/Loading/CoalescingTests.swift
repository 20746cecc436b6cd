import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct CoalescingTests {
  @Test(arguments: Setup.allCases)
  func `B003 F3 all callers of a failing load get its error and nothing is stored`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let callers = (0..<10).map { _ in call(cache, producer) }
    await cache.waiters(10)
    try await producer.waitForRuns(1)
    producer.fail(EngineError.boom)
    for caller in callers {
      await #expect(throws: EngineError.boom) { try await caller.value }
    }
    #expect(producer.calls == 1)
    #expect(try await fixture.isEmpty(cache))
    producer.release(2)
    #expect(try await cache.cached("k") { try await producer() } == 2)
    #expect(producer.calls == 2)
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `B004 F2 the leader's cancellation reaches neither joiners nor the stores`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .seconds(60))
    let producer = GatedProducer<Int>()
    let leader = call(cache, producer)
    try await producer.waitForRuns(1)
    let joiner = call(cache, producer)
    await cache.waiters(2)
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    producer.release(5)
    #expect(try await joiner.value == 5)
    #expect(try await cache.cached("k") { try await producer() } == 5)
    #expect(producer.calls == 1)
    #expect(producer.cancellations == 0)
  }

  @Test(arguments: [Setup.memory, .disk])
  func `B010 F5 a caller that retries in its catch never meets the failed load`(
    setup: Setup
  ) async throws {
    let cache = try CacheFixture(setup).open()
    for round in 0..<(setup == .memory ? 1_000 : 50) {
      let producer = CountingProducer<Int> { run in
        if run == 1 { throw EngineError.boom }
        return 9
      }
      do {
        _ = try await cache.cached("\(round)") { try await producer() }
        Issue.record("the first call fails")
      } catch {
        #expect(try await cache.cached("\(round)") { try await producer() } == 9)
      }
      #expect(producer.calls == 2)
    }
  }

  @Test(arguments: Setup.allCases)
  func `B011 F3 an error is not an answer for the next caller`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .hours(8))
    let producer = CountingProducer<Int> { run in
      if run == 1 { throw EngineError.net }
      return 3
    }
    await #expect(throws: EngineError.net) {
      try await cache.cached("k") { try await producer() }
    }
    try await fixture.clock.advance(by: .seconds(1))
    #expect(try await cache.cached("k") { try await producer() } == 3)
    #expect(try await cache.cached("k") { try await producer() } == 3)
    #expect(producer.calls == 2)
    #expect(cache.statistics.loadFailures == 1)
  }

  @Test func `B012 nobody is lost when every load ends at once`() async throws {
    let cache = try CacheFixture(.memory).open(expiry: .seconds(0))
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5_000 {
            let value = try? await cache.cached("k") { 1 }
            if value != 1 { Issue.record("a call returned \(String(describing: value))") }
          }
        }
      }
    }
    #expect(cache.isQuiet)
    #expect(cache.count == 0)
  }

  @Test(arguments: Setup.allCases)
  func `B032 callers coalesce although nothing is stored`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .seconds(0))
    let producer = GatedProducer<Int>()
    let callers = (0..<10).map { _ in call(cache, producer) }
    await cache.waiters(10)
    try await producer.waitForRuns(1)
    producer.release(1)
    for caller in callers { #expect(try await caller.value == 1) }
    #expect(producer.calls == 1)
    #expect(try await fixture.isEmpty(cache))
    #expect(cache.statistics.coalesced == 9)
  }
}
