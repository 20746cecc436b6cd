import CacheAside
import CacheAsideTesting
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct RefreshAheadTests {
  @Test func `refresh after a part of the lifetime`() async throws {
    // snippet: Refresh after a part of the lifetime
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    let source = CountingProducer { run in 100 * run }
    var policy = CachePolicy(expiry: .seconds(100))
    policy.refreshAhead = .fraction(0.8)
    let price = prices.cached("price", policy: policy) { (item: String) in try await source() }

    try await clock.run {
      #expect(try await price("tea") == 100)
      try await clock.advance(by: .seconds(80))
      #expect(try await price("tea") == 100)  // a hit, and a load behind it
      try await clock.settle()
      #expect(try await price("tea") == 200)
    }
    // end
  }

  @Test func `refresh by chance`() async throws {
    // snippet: Refresh by chance
    var policy = CachePolicy(expiry: .minutes(10))
    policy.refreshAhead = .probabilistic(beta: 1)
    let search = cached("search", policy: policy) { (words: String, page: Int) in
      try await api.search(words, page: page)
    }
    // end
    #expect(try await search("swift", 1) == ["swift 1"])
  }

  @Test func `spread the ends of lifetimes`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    // snippet: Spread the ends of lifetimes
    var policy = CachePolicy(expiry: .minutes(10))
    policy.jitter = .upTo(0.1)
    let price = prices.cached("price", policy: policy) { (item: Int) in 100 }
    for item in 0..<100 { _ = try await price(item) }

    try await clock.advance(by: .seconds(570))
    let left = (0..<100).count { price.peek($0) != nil }
    #expect((20...80).contains(left))  // about half of them have ended
    // end
  }
}
