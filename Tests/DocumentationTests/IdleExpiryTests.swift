import CacheAside
import CacheAsideTesting
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct IdleExpiryTests {
  @Test func `live as long as somebody reads`() async throws {
    // snippet: Live as long as somebody reads
    let clock = ManualClock()
    let features = Caches.inMemory(time: clock.timeSource)
    let session = try features["sessions"].cached(
      "session",
      expiry: .idle(.minutes(30), max: .hours(12))
    ) { (token: String) in try await api.user(42) }

    _ = try await session("a")
    for _ in 1...4 {
      try await clock.advance(by: .seconds(20 * 60))
      _ = try await session("a")  // a hit, good for 30 more minutes
    }
    try await clock.advance(by: .seconds(30 * 60))
    #expect(session.peek("a") == nil)  // nobody read it for 30 minutes
    // end
    #expect(try features["sessions"].statistics.loads == 1)
  }
}
