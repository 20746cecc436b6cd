import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightWhenUnobservedTests {
  @Test
  func `a limit of nothing or less cancels at once`() {
    #expect(WhenUnobserved.finish(within: .zero) == .cancel)
    #expect(WhenUnobserved.finish(within: .seconds(-1)) == .cancel)
    #expect(WhenUnobserved.finish(within: .nanoseconds(1)) != .cancel)
  }

  @Test
  func `is described as it is written`() {
    #expect("\(WhenUnobserved.cancel)" == "cancel")
    #expect("\(WhenUnobserved.finish)" == "finish")
    #expect("\(WhenUnobserved.finish(within: .seconds(2)))" == "finish(within: 2.0 seconds)")
  }

  @Test(arguments: [Int64.max, Int64.max / 1_000_000_000, 9_000_000_000])
  func `F2 a limit beyond the clock's end never passes`(seconds: Int64) async throws {
    let time = FlightTestTime()
    time.advance(by: .seconds(1_000_000_000))
    let cache = FlightFixture<Int>(time: TimeSource(time))
    let gate = FlightGate<Int>()
    let rule = WhenUnobserved.finish(within: .seconds(seconds))
    let leader = Task { try await cache.get("k", whenUnobserved: rule) { try await gate() } }
    await until { gate.calls == 1 }
    leader.cancel()
    _ = await leader.result
    time.advance(by: .seconds(8_000_000_000))
    // A deadline that never comes needs nobody who sleeps until then.
    #expect(time.sleeperCount == 0)
    gate.release(1)
    await until { cache.isQuiet }
    #expect(cache.peek("k") == 1)
  }
}
