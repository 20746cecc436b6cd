import CacheAsideTesting
import Foundation
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct ExpiryTests {
  @Test(arguments: Setup.allCases)
  func `B021 T1 huge and infinite lifetimes never end and not a number is refused`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let huge: [Expiry] = [
      .after(.seconds(Int64.max)), .seconds(1e300), .seconds(.greatestFiniteMagnitude),
      .seconds(.infinity), .days(1e15), .at(microsecondsSince1970: .max),
      .date(Date(timeIntervalSince1970: 1e300)), .never,
    ]
    for (index, expiry) in huge.enumerated() {
      #expect(try await cache.cached("\(index)", expiry: expiry) { index } == index)
    }
    let producer = CountingProducer<Int>.returning(1)
    for expiry in [Expiry.seconds(.nan), .milliseconds(.nan), .days(.nan)] {
      let error = await #expect(throws: CacheError.self) {
        try await cache.cached("nan", expiry: expiry) { try await producer() }
      }
      #expect(error?.code == .invalidExpiry)
    }
    #expect(producer.calls == 0)
    try await fixture.clock.sleepMachine(for: .seconds(100 * 366 * 86_400))
    for index in huge.indices { #expect(try await cache.value(for: "\(index)") == index) }
  }

  @Test(arguments: Setup.allCases)
  func `B022 a lifetime of thirty days is neither cut nor forgotten`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .milliseconds(2_592_000_000))
    try await cache.set(1, for: "k")
    try await fixture.clock.sleepMachine(for: .seconds(30 * 86_400 - 60))
    #expect(try await cache.value(for: "k") == 1)
    try await fixture.clock.sleepMachine(for: .seconds(120))
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test(arguments: Setup.allCases, [Expiry.seconds(0), .seconds(-1), .after(.seconds(-1))])
  func `B023 T1 a lifetime of zero or less stores nothing`(
    setup: Setup,
    expiry: Expiry
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = CountingProducer<Int> { $0 }
    #expect(try await cache.cached("k", expiry: expiry) { try await producer() } == 1)
    #expect(try await fixture.isEmpty(cache))
    #expect(try await cache.cached("k", expiry: expiry) { try await producer() } == 2)
    #expect(try await fixture.isEmpty(cache))
    try await cache.set(3, for: "k", expiry: expiry)
    #expect(try await fixture.isEmpty(cache))
  }

  @Test(arguments: Setup.allCases)
  func `B024 T1 half a second counts`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .milliseconds(500))
    try await fixture.clock.advance(by: .milliseconds(900))
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .milliseconds(499))
    #expect(try await cache.value(for: "k") == 1)
    try await fixture.clock.advance(by: .milliseconds(1))
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test(arguments: [Duration.microseconds(1), .microseconds(250), .milliseconds(3), .seconds(1)])
  func `T1 the moment of expiry itself is expired on every store`(
    lifetime: Duration
  ) async throws {
    for setup in Setup.allCases {
      let fixture = try CacheFixture(setup)
      let cache = try fixture.open(expiry: .after(lifetime))
      try await cache.set(1, for: "k")
      #expect(try await cache.value(for: "k") == 1)
      try await fixture.clock.advance(by: lifetime - .microseconds(1))
      #expect(try await cache.value(for: "k") == (lifetime > .zero ? 1 : nil))
      #expect(cache["k"] == (setup == .suspending ? nil : 1))
      try await fixture.clock.advance(by: .microseconds(1))
      #expect(cache.peek("k") == nil)
      #expect(cache["k"] == nil)
      #expect(try await cache.value(for: "k") == nil)
      #expect(try await cache.contains("k") == false)
      #expect(try await cache.cached("k") { 2 } == 2)
    }
  }

  @Test(arguments: Setup.allCases)
  func `B027 T1 all tiers hold one deadline, whatever is read in between`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .seconds(10))
    let stored = fixture.clock.wallMicroseconds
    try await cache.set(1, for: "k")
    for _ in 0..<2 {
      try await fixture.clock.advance(by: .seconds(4))
      if setup == .memoryAndDisk { cache.removeAllFromMemory() }
      #expect(try await cache.value(for: "k") == 1)
      if setup != .memory {
        #expect(try await fixture.record("k")?.freshUntil == stored + 10_000_000)
      }
    }
    #expect(try await cache.entry(for: "k")?.remainingLife == .seconds(2))
    try await fixture.clock.advance(by: .milliseconds(2_001))
    #expect(cache.peek("k") == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test(arguments: Setup.allCases)
  func `B028 reading does not prolong a life`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .seconds(10))
    let producer = CountingProducer<Int> { $0 }
    _ = try await cache.cached("k") { try await producer() }
    for second in 1...12 {
      try await fixture.clock.advance(by: .seconds(1))
      let value = try await cache.cached("k") { try await producer() }
      #expect(value == (second < 10 ? 1 : 2))
    }
    #expect(producer.calls == 2)
  }

  @Test(arguments: Setup.allCases)
  func `B033 without stale serving an expired value is waited for`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      expiry: .seconds(1),
      policy: CachePolicy(keepExpired: .hours(1))
    )
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(2))
    let producer = GatedProducer<Int>()
    let callers = (0..<2).map { _ in call(cache, producer) }
    await cache.waiters(2)
    try await producer.waitForRuns(1)
    producer.release(2)
    for caller in callers { #expect(try await caller.value == 2) }
    #expect(producer.calls == 1)
  }
}
