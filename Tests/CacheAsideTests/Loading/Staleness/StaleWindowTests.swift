import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct StaleWindowTests {
  /// Fresh for 5 s, stale while revalidating for 10 s more.
  private static let revalidating = CachePolicy(
    expiry: .seconds(5),
    staleWhileRevalidate: .seconds(10)
  )
  private static let ifError = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(10))

  @Test(arguments: Setup.allCases)
  func `B030 T2 a stale value is returned at once and loaded once behind`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.revalidating)
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(5))
      let producer = GatedProducer<Int>()
      for _ in 0..<500 {
        let outcome = try await cache.outcome("k") { Produced(try await producer()) }
        #expect(outcome.value == 1)
        #expect(outcome.source == .stale(.revalidating))
        #expect(outcome.remainingLife == .zero)
        #expect(outcome.isLoadedFromCache)
      }
      try await fixture.clock.settle()
      #expect(producer.calls == 1)
      producer.release(2)
      try await fixture.clock.settle()
      for _ in 0..<500 { #expect(try await cache.cached("k") { 3 } == 2) }
      #expect(producer.calls == 1)
    }
    #expect(cache.statistics.staleServed == 500)
    #expect(cache.statistics.lookups == 1_000)
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `T2 after the window of revalidation a read waits for the load`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.revalidating)
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .milliseconds(14_999))
      #expect(try await cache.outcome("k", mode: .anyAge) { Produced(2) }.value == 1)
      try await fixture.clock.advance(by: .milliseconds(1))
      #expect(try await cache.cached("k") { 2 } == 2)
      #expect(try await cache.value(for: "k") == 2)
    }
  }

  @Test(arguments: Setup.allCases)
  func `T2 what is kept beyond its window is not served in its place`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    var policy = Self.revalidating
    policy.keepExpired = .hours(1)
    let cache = try fixture.open(policy: policy)
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .milliseconds(14_999))
      let last = try await cache.outcome("k") { () async throws -> Produced<Int> in
        throw EngineError.boom
      }
      #expect(last.source == .stale(.revalidating))
      try await fixture.clock.advance(by: .milliseconds(1))
      await #expect(throws: EngineError.boom) {
        try await cache.cached("k") { throw EngineError.boom }
      }
      #expect(try await cache.entry(for: "k")?.value == 1)
      #expect(try await cache.cached("k") { 2 } == 2)
    }
  }

  @Test(arguments: Setup.allCases)
  func `T1 T2 a read that never loads returns nothing stale`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.revalidating)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    #expect(cache.peek("k") == nil)
    #expect(cache["k"] == nil)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.contains("k") == false)
    #expect(try await cache.entry(for: "k")?.isFresh == false)
  }

  @Test(arguments: Setup.allCases)
  func `B014 F4 a removal during a background load is not undone by it`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.revalidating)
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(6))
      let producer = GatedProducer<Int>()
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await fixture.clock.settle()
      try await cache.remove("k")
      producer.release(1)
      try await fixture.clock.settle()
      #expect(cache.peek("k") == nil)
      #expect(try await fixture.isEmpty(cache))
      #expect(try await cache.cached("k") { 2 } == 2)
    }
  }

  @Test(arguments: Setup.allCases)
  func `B029 T2 a failing source is covered until the window ends, never longer`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    var policy = Self.ifError
    policy.breaker = .off
    policy.retryAfterFailure = .seconds(3)
    let cache = try fixture.open(policy: policy)
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      for second in stride(from: 2, through: 30, by: 2) {
        try await fixture.clock.advance(by: .seconds(2))
        let answer = await Result.of { try await cache.cached("k") { throw EngineError.boom } }
        if second < 15 {
          #expect(try answer.get() == 1, "at \(second) s")
        } else {
          #expect(throws: EngineError.boom, "at \(second) s") { try answer.get() }
        }
      }
    }
    #expect(try await cache.entry(for: "k") == nil)
  }

  @Test(arguments: Setup.allCases)
  func `T2 a producer rests after a failure while its stale value is served`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(100))
    policy.retryAfterFailure = .seconds(10)
    let cache = try fixture.open(policy: policy)
    let producer = CountingProducer<Int> { _ in throw EngineError.net }
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(5))
      for second in 0..<30 {
        let outcome = try await cache.outcome("k") { Produced(try await producer()) }
        #expect(outcome.value == 1)
        #expect(outcome.source == .stale(second % 10 == 0 ? .loadFailed : .resting))
        try await fixture.clock.advance(by: .seconds(1))
      }
      #expect(producer.calls == 3)
      // A success ends the rest: the next failure is asked for at once.
      try await fixture.clock.advance(by: .seconds(1))
      _ = try await cache.outcome("k", mode: .reload) { Produced(2) }
      #expect(try await cache.cached("k") { 3 } == 2)
    }
    #expect(cache.statistics.staleFallbacks == 3)
    #expect(cache.statistics.staleServed == 27)
  }

  @Test func `F3 all who joined a failing load get the stale value`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.ifError)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    let producer = GatedProducer<Int>()
    let callers = (0..<10).map { _ in call(cache, producer) }
    await cache.waiters(10)
    try await producer.waitForRuns(1)
    producer.fail(EngineError.boom)
    for caller in callers { #expect(try await caller.value == 1) }
    #expect(cache.statistics.staleFallbacks == 10)
    #expect(cache.statistics.lookups == 10)
  }

  @Test func `F3 a cancellation thrown by the producer serves nothing stale`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.ifError)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    await #expect(throws: CancellationError.self) {
      try await cache.cached("k") { throw CancellationError() }
    }
  }

  @Test func `which errors serve a stale value is the policy's choice`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = Self.ifError
    policy.failures = FailureRule { ($0 as? EngineError) == .net }
    let cache = try fixture.open(policy: policy)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    await #expect(throws: EngineError.boom) {
      try await cache.cached("k") { throw EngineError.boom }
    }
    #expect(try await cache.cached("k") { throw EngineError.net } == 1)
  }

  @Test(arguments: Setup.withStore)
  func `a stale record of an earlier process is served and loaded behind`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.open(policy: Self.revalidating).set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(6))
    let cache = try fixture.open(policy: Self.revalidating)
    try await fixture.clock.run {
      let producer = GatedProducer<Int>()
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await fixture.clock.settle()
      #expect(producer.calls == 1)
      producer.release(2)
      try await fixture.clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
    }
    #expect(try await fixture.record("k") != nil)
  }

  @Test(arguments: Setup.allCases)
  func `the shorter of stored and present window counts`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.ifError)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(9))
    let shorter = CachePolicy(staleIfError: .seconds(4))
    await #expect(throws: EngineError.boom) {
      try await cache.cached("k", policy: shorter) { throw EngineError.boom }
    }
    let longer = CachePolicy(staleIfError: .hours(1))
    #expect(try await cache.cached("k", policy: longer) { throw EngineError.boom } == 1)
    try await fixture.clock.advance(by: .seconds(6))
    await #expect(throws: EngineError.boom) {
      try await cache.cached("k", policy: longer) { throw EngineError.boom }
    }
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous piece of code came to.
  static func of(_ body: () async throws -> Success) async -> Result {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
