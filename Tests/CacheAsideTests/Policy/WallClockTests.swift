import CacheAsideTesting
import Foundation
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct WallClockTests {
  private let day: Int64 = 86_400_000_000

  @Test func `B026 T3 in memory the wall clock does not count`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(expiry: .seconds(10))
    let wall = fixture.clock.wallMicroseconds
    try await cache.set(1, for: "k")
    fixture.clock.setWall(wall - 3_650 * day)
    try await fixture.clock.advance(by: .seconds(9))
    #expect(cache.peek("k") == 1)
    try await fixture.clock.advance(by: .seconds(2))
    #expect(cache.peek("k") == nil)
    try await cache.set(2, for: "k")
    fixture.clock.setWall(wall + day)
    try await fixture.clock.advance(by: .seconds(1))
    #expect(cache.peek("k") == 2)
  }

  @Test(arguments: Setup.withStore)
  func `T3 a record from the future is expired`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let wall = fixture.clock.wallMicroseconds
    try await fixture.open(expiry: .hours(1)).set(1, for: "k")
    fixture.clock.setWall(wall - 4_000_000)
    #expect(try await fixture.open().value(for: "k") == 1)
    fixture.clock.setWall(wall - 6_000_000)
    #expect(try await fixture.open().value(for: "k") == nil)
    #expect(try await fixture.open().cached("k") { 2 } == 2)
  }

  @Test(arguments: Setup.withStore)
  func `T3 a wall clock set ahead expires records, not memory`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .hours(1))
    try await cache.set(1, for: "k")
    fixture.clock.setWall(fixture.clock.wallMicroseconds + day)
    #expect(try await cache.value(for: "k") == (setup.hasMemory ? 1 : nil))
    #expect(try await fixture.open().value(for: "k") == nil)
  }

  @Test(arguments: Setup.allCases)
  func `T3 the sleep of the machine counts`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .hours(1))
    try await cache.set(1, for: "k")
    try await fixture.clock.sleepMachine(for: .seconds(3_599))
    #expect(try await cache.value(for: "k") == 1)
    try await fixture.clock.sleepMachine(for: .seconds(1))
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test(arguments: Setup.withStore)
  func `T3 a record found is as old as its stamp says`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.open(expiry: .seconds(100)).set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(40))
    let outcome = try await fixture.open().outcome("k") { Produced(2) }
    #expect(outcome.value == 1)
    #expect(outcome.age == .seconds(40))
    #expect(outcome.remainingLife == .seconds(60))
    #expect(outcome.isLoadedFromCache)
  }

  @Test(arguments: Setup.allCases)
  func `T1 a date is an instant and one that has passed stores nothing`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let start = fixture.clock.date
    try await cache.set(1, for: "past", expiry: .date(start))
    #expect(try await fixture.isEmpty(cache, "past"))
    try await cache.set(1, for: "k", expiry: .date(start.addingTimeInterval(5)))
    try await fixture.clock.advance(by: .milliseconds(4_999))
    #expect(try await cache.value(for: "k") == 1)
    try await fixture.clock.advance(by: .milliseconds(1))
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `B031 the hour that repeats in autumn is two hours`() async throws {
    unsafe setenv("TZ", "Europe/Berlin", 1)
    tzset()
    let fixture = try CacheFixture(.disk)
    let cache = try fixture.open()
    fixture.clock.setWall(1_729_990_800_000_000)
    try await cache.set(1, for: "past", expiry: .seconds(-1))
    #expect(try await fixture.isEmpty(cache, "past"))
    try await cache.set(2, for: "k", expiry: .seconds(60))
    #expect(try await fixture.record("k")?.created == 1_729_990_800_000_000)
    #expect(try await fixture.record("k")?.freshUntil == 1_729_990_860_000_000)
    #expect(try await cache.value(for: "k") == 2)
    try await fixture.clock.advance(by: .seconds(61))
    #expect(try await cache.value(for: "k") == nil)
  }
}
