import CacheAsideTesting
import Testing

@testable import CacheAside

/// What a call of `close` does after another one.
@Suite(.timeLimit(.minutes(60)))
struct SecondCloseTests {
  /// Begins to close, and returns once everything new is refused.
  private func closing(
    _ cache: Cache<String, Int>,
    then note: @escaping @Sendable () -> Void = {}
  ) async -> Task<Void, any Error> {
    let task = Task {
      defer { note() }
      try await cache.close()
    }
    await until { cache.core.isClosed }
    return task
  }

  @Test func `a second close returns when the first has ended (B364)`() async throws {
    let fixture = try TierFixture(.suspending)
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    fixture.cache["k"] = 1
    try await gate.waitForArrivals(1)
    let ended = Counter()
    let first = await closing(fixture.cache) { ended.add() }
    let second = Task {
      try await fixture.cache.close()
      #expect(fixture.operations.last == .close)
    }
    for _ in 0..<50 { await Task.yield() }
    #expect(ended.count == 0)
    gate.open()
    try await first.value
    try await second.value
    // One that comes later has nothing to wait for.
    try await fixture.cache.close(within: .zero)
    #expect(fixture.operations.filter { $0 == .close }.count == 1)
    #expect(fixture.clock.pendingSleeps == 0)
  }

  @Test func `a second close waits no longer than its own limit, and cancels nothing`() async throws
  {
    let fixture = try TierFixture(.suspending)
    let gate = Gate()
    fixture.inject(.delay(gate), on: .close)
    let first = await closing(fixture.cache)
    try await gate.waitForArrivals(1)
    let limited = [Window.seconds(1), .seconds(3)].map { limit in
      Task { try await fixture.cache.close(within: limit) }
    }
    let patient = Task { try await fixture.cache.close(within: .seconds(4)) }
    let atOnce = await #expect(throws: CacheError.self) {
      try await fixture.cache.close(within: .zero)
    }
    #expect(atOnce?.code == .timedOut)
    await until { DeadlineQueue.of(fixture.clock).count == 3 }
    try await fixture.clock.advance(by: .seconds(1))
    let error = await #expect(throws: CacheError.self) { try await limited[0].value }
    #expect(error?.code == .timedOut)
    #expect(error?.message.contains("an earlier call") == true)
    try await fixture.clock.advance(by: .seconds(2))
    await #expect(throws: CacheError.self) { try await limited[1].value }
    gate.open()
    try await first.value
    try await patient.value
    #expect(fixture.operations.last == .close)
    await until { fixture.clock.pendingSleeps == 0 }
  }

  @Test func `a second close says which write the first waits for`() async throws {
    let fixture = try TierFixture(.blocking)
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    let writing = Task { try await fixture.cache.set(9, for: "k") }
    try await gate.waitForArrivals(1)
    let first = await closing(fixture.cache)
    let error = await #expect(throws: CacheError.self) {
      try await fixture.cache.close(within: .zero)
    }
    #expect(error?.message.contains("write of") == true)
    gate.open()
    try await writing.value
    try await first.value
  }

  @Test(arguments: [false, true])
  func `a second close throws what the first has thrown`(waits: Bool) async throws {
    let fixture = try TierFixture(.suspending)
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    fixture.inject(.fail(EngineError.net), on: .flush)
    fixture.cache["k"] = 1
    try await gate.waitForArrivals(1)
    let first = await closing(fixture.cache)
    let second = Task {
      if !waits { _ = await first.result }
      try await fixture.cache.close(within: .seconds(1_000))
    }
    if waits { await until { DeadlineQueue.of(fixture.clock).count > 0 } }
    gate.open()
    await #expect(throws: EngineError.net) { try await first.value }
    await #expect(throws: EngineError.net) { try await second.value }
    await #expect(throws: EngineError.net) { try await fixture.cache.close(within: .zero) }
  }

  @Test func `caches say every time first what had not ended, then what has failed`() async throws {
    let clock = ManualClock()
    let stores = ["a", "b", "c"].map { _ in FaultInjectingStore(PlainStore()) }
    let caches = try Caches(time: clock.timeSource) {
      Feature("a") { Store(stores[0]) }
      Feature("b") { Store(stores[1]) }
      Feature("c") { Store(stores[2]) }
    }
    let gate = Gate()
    stores[0].inject(.fail(EngineError.net), on: .flush)
    stores[1].inject(.fail(EngineError.boom), on: .flush)
    stores[2].inject(.delay(gate), on: .close)
    let first = Task { try await caches.close(within: .seconds(1)) }
    try await gate.waitForArrivals(1)
    await until { clock.pendingSleeps > 0 }
    try await clock.advance(by: .seconds(1))
    let error = await #expect(throws: CacheError.self) { try await first.value }
    #expect(error?.message.contains("\"c\"") == true)
    let again = await #expect(throws: CacheError.self) { try await caches.close() }
    #expect(again?.message.contains("\"c\"") == true)
    gate.open()
  }
}
