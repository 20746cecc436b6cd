import CacheAsideTesting
import Testing

@testable import CacheAside

/// A wait that has ended stands in the way of no other wait.
@Suite(.timeLimit(.minutes(60)))
struct GivenUpWaitTests {
  @Test func `F7 a load may wait for one whose producer gave up waiting for it`() async throws {
    let cache = try Cache<String, Int>(name: "waits") { Memory(.count(10)) }
    let (asked, rest) = (GatedProducer<Int>(), GatedProducer<Int>())
    let first = Task {
      try await cache.cached("first") {
        let asking = Task {
          try await cache.cached("second", policy: CachePolicy(whenUnobserved: .finish)) {
            let number = try await asked()
            return try await cache.cached("first") { 0 } + number
          }
        }
        try await asked.waitForRuns(1)
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        return try await rest()
      }
    }
    try await rest.waitForRuns(1)
    asked.release(1)
    await cache.waiters(2)
    rest.release(7)
    #expect(try await first.value == 7)
    await until { cache.isQuiet }
    #expect(cache["second"] == 8)
  }
}
