import CacheAsideTesting
import Testing

@testable import CacheAside

/// How often the memory tables are swept when a manual clock moves far.
@Suite(.timeLimit(.minutes(60)))
struct SweepScaleTests {
  private func open(_ clock: ManualClock) throws -> Cache<String, Int> {
    try Cache(name: "sweeps", expiry: .seconds(86_400), time: clock.timeSource) { Memory() }
  }

  @Test func `a day passes from event to event, not second by second (B345)`() async throws {
    let clock = ManualClock()
    let cache = try open(clock)
    try await cache.set(1, for: "k")
    try await clock.advance(by: .seconds(86_399))
    #expect(cache.peek("k") == 1)
    try await clock.advance(by: .seconds(1))
    #expect(cache.peek("k") == nil)
    #expect(cache.count == 0)
    #expect(cache.core.sweeps.count <= 5)
    #expect(clock.pendingSleeps == 0)
  }

  @Test func `what comes later and ends earlier is swept within a second of its end (B345)`()
    async throws
  {
    let clock = ManualClock()
    let cache = try open(clock)
    try await cache.set(1, for: "long")
    try await clock.advance(by: .seconds(3_600))
    let before = cache.core.sweeps.count
    try await cache.set(2, for: "short", expiry: .seconds(100))
    cache["at once"] = 3
    try await clock.advance(by: .seconds(100))
    #expect(cache.count == 2)
    try await cache.set(4, for: "by hand", expiry: .seconds(80_000))
    try await cache.expire("by hand")
    try await clock.advance(by: .seconds(2))
    #expect(cache.count == 2)
    #expect(cache.core.sweeps.count - before <= 10)
  }
}
