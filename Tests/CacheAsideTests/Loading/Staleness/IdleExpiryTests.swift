import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct IdleExpiryTests {
  @Test(arguments: [Setup.memory, .memoryAndDisk])
  func `B028 an idle lifetime is moved by reads, never past its maximum`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .idle(.seconds(10), max: .seconds(35)))
    let clock = fixture.clock
    #expect(try await cache.cached("k") { 1 } == 1)
    for _ in 0..<3 {
      try await clock.advance(by: .seconds(9))
      #expect(try await cache.cached("k") { 2 } == 1)
    }
    // At 27 s: read, so fresh until 35 s at most.
    try await clock.advance(by: .milliseconds(7_999))
    #expect(try await cache.cached("k") { 2 } == 1)
    try await clock.advance(by: .milliseconds(1))
    #expect(try await cache.cached("k") { 2 } == 2)
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `T2 an idle lifetime without a maximum has its windows, and is kept, in every tier`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(
      expiry: .idle(.seconds(10), max: .unlimited),
      staleIfError: .seconds(20)
    )
    policy.keepExpired = .seconds(30)
    let cache = try fixture.open(policy: policy)
    let fails = { @Sendable () async throws -> Int in throw EngineError.boom }
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      if setup == .memoryAndDisk { cache.removeAllFromMemory() }
      try await fixture.clock.advance(by: .seconds(15))
      #expect(try await cache.cached("k", fails) == 1)
      try await fixture.clock.advance(by: .milliseconds(14_999))
      #expect(try await cache.cached("k", fails) == 1)
      try await fixture.clock.advance(by: .milliseconds(1))
      await #expect(throws: EngineError.boom) { try await cache.cached("k", fails) }
      try await fixture.clock.advance(by: .milliseconds(29_999))
      #expect(try await cache.entry(for: "k")?.value == 1)
      try await fixture.clock.advance(by: .seconds(1))
      #expect(try await cache.entry(for: "k") == nil)
    }
  }

  @Test func `without a read it expires after its interval`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(expiry: .idle(.seconds(10), max: .seconds(35)))
    #expect(try await cache.cached("k") { 1 } == 1)
    try await fixture.clock.advance(by: .seconds(9))
    // Looking is not reading.
    #expect(cache.peek("k") == 1)
    #expect(try await cache.entry(for: "k")?.value == 1)
    try await fixture.clock.advance(by: .seconds(1))
    #expect(try await cache.cached("k") { 2 } == 2)
  }

  @Test func `an interval of nothing stores nothing, and one beyond the maximum is the maximum`()
    async throws
  {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    _ = try await cache.cached("none", expiry: .idle(.zero, max: .hours(1))) { 1 }
    #expect(cache.peek("none") == nil)
    _ = try await cache.cached("k", expiry: .idle(.hours(2), max: .hours(1))) { 1 }
    try await fixture.clock.advance(by: .seconds(3_599))
    #expect(try await cache.cached("k") { 2 } == 1)
    try await fixture.clock.advance(by: .seconds(1))
    #expect(try await cache.cached("k") { 2 } == 2)
  }
}
