import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct ExpireTests {
  private static let policy = CachePolicy(
    expiry: .seconds(100),
    staleWhileRevalidate: .seconds(50),
    staleIfError: .seconds(20)
  )

  @Test(arguments: Setup.allCases)
  func `T2 after an expire the next read loads in the foreground`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    try await cache.set(1, for: "k")
    try await cache.expire("k")
    #expect(cache.peek("k") == nil)
    #expect(try await cache.cached("k") { 2 } == 2)
  }

  @Test(arguments: Setup.allCases)
  func `T2 an expired value helps a failing load for staleIfError from then on`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(10))
      try await cache.expire("k")
      try await fixture.clock.advance(by: .milliseconds(19_999))
      #expect(try await cache.cached("k") { throw EngineError.boom } == 1)
      try await fixture.clock.advance(by: .milliseconds(1))
      await #expect(throws: EngineError.boom) {
        try await cache.cached("k") { throw EngineError.boom }
      }
    }
    #expect(try await cache.entry(for: "k") == nil)
  }

  @Test(arguments: Setup.allCases)
  func `T2 a value without an end helps a failing load after an expire, too`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: CachePolicy(staleIfError: .seconds(20)))
    let fails = { @Sendable () async throws -> Int in throw EngineError.boom }
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(1_000))
      try await cache.expire("k")
      try await fixture.clock.advance(by: .milliseconds(19_999))
      #expect(try await cache.cached("k", fails) == 1)
      try await fixture.clock.advance(by: .milliseconds(1))
      await #expect(throws: EngineError.boom) { try await cache.cached("k", fails) }
    }
  }

  @Test(arguments: Setup.allCases)
  func `T2 expire never prolongs what is kept`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      policy: CachePolicy(expiry: .seconds(5), staleIfError: .seconds(10))
    )
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(12))
    try await cache.expire("k")
    try await fixture.clock.advance(by: .milliseconds(2_999))
    #expect(try await cache.cached("k") { throw EngineError.boom } == 1)
    try await fixture.clock.advance(by: .milliseconds(1))
    await #expect(throws: EngineError.boom) {
      try await cache.cached("k") { throw EngineError.boom }
    }
  }

  @Test(arguments: Setup.allCases)
  func `an expire ends the producer's rest`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    try await cache.set(1, for: "k")
    try await cache.expire("k")
    #expect(try await cache.cached("k") { throw EngineError.boom } == 1)
    #expect(try await cache.outcome("k") { Produced(2) }.source == .stale(.resting))
    try await cache.expire("k")
    #expect(try await cache.cached("k") { 2 } == 2)
  }

  @Test(arguments: Setup.allCases)
  func `B020 what was cleared is served to no failing load`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      policy: CachePolicy(expiry: .seconds(1), staleIfError: .hours(1))
    )
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(10))
    try await cache.removeAll()
    await #expect(throws: EngineError.boom) {
      try await cache.cached("k") { throw EngineError.boom }
    }
    #expect(try await fixture.record("k") == nil)
  }
}
