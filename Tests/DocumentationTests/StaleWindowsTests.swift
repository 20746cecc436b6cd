import CacheAside
import CacheAsideTesting
import Foundation
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct StaleWindowsTests {
  @Test func `return the old value at once`() async throws {
    // snippet: Return the old value at once
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    let source = CountingProducer { run in 100 * run }
    let price = prices.cached(
      "price",
      policy: CachePolicy(expiry: .minutes(5), staleWhileRevalidate: .minutes(1))
    ) { (item: String) in try await source() }

    try await clock.run {
      #expect(try await price("tea") == 100)
      try await clock.advance(by: .seconds(300))  // no longer fresh
      let old = try await price.outcome("tea")
      #expect(old.value == 100)
      #expect(old.source == .stale(.revalidating))
      try await clock.settle()  // the load behind it has ended
      #expect(try await price("tea") == 200)
    }
    // end
    #expect(source.calls == 2)
  }

  @Test func `survive an outage`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    // snippet: Survive an outage
    let source = CountingProducer<Int> { run in
      if run > 1 { throw URLError(.cannotConnectToHost) }
      return 100
    }
    var policy = CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
    policy.retryAfterFailure = .seconds(30)
    let price = prices.cached("price", policy: policy) { (item: String) in try await source() }

    try await clock.run {
      #expect(try await price("tea") == 100)
      try await clock.advance(by: .seconds(300))
      let first = try await price.outcome("tea")
      #expect(first.source == .stale(.loadFailed))  // the source was asked, and failed
      let second = try await price.outcome("tea")
      #expect(second.source == .stale(.resting))  // it is left alone for 30 seconds
      #expect(source.calls == 2)
    }
    // end
    try await clock.run {
      try await clock.advance(by: .seconds(3_600))
      await #expect(throws: URLError.self) { try await price("tea") }
    }
  }

  @Test func `say which errors count`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    // snippet: Say which errors count
    var policy = CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
    policy.failures = FailureRule { error in
      (error as? URLError)?.code != .userAuthenticationRequired
    }
    // end
    let source = CountingProducer<Int> { run in
      if run > 1 { throw URLError(run == 2 ? .timedOut : .userAuthenticationRequired) }
      return 100
    }
    let price = prices.cached("price", policy: policy) { (item: String) in try await source() }
    try await clock.run {
      #expect(try await price("tea") == 100)
      try await clock.advance(by: .seconds(300))
      #expect(try await price("tea") == 100)
      try await clock.advance(by: .seconds(10))
      await #expect(throws: URLError.self) { try await price("tea") }
    }
  }

  @Test func `refresh, expire, remove`() async throws {
    // snippet: Refresh, expire or remove
    let fetchUser = cached(
      "user",
      policy: CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
    ) { (id: Int) in try await api.user(id) }

    try await fetchUser.refresh(42)  // loads now; others get the old value meanwhile
    try await fetchUser.expire(42)  // the next call loads, and falls back if that fails
    try await fetchUser.remove(42)  // gone: nothing to fall back to
    // end
    #expect(fetchUser.peek(42) == nil)
  }
}
