import CacheAside
import CacheAsideTesting
import Foundation
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct BreakerTests {
  @Test func `what it does`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    // snippet: What it does
    let source = CountingProducer<Int> { run in
      if run <= 5 { throw URLError(.cannotConnectToHost) }
      return 100
    }
    let policy = CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
    let price = prices.cached("price", policy: policy) { (item: Int) in try await source() }

    try await clock.run {
      for item in 1...5 {
        await #expect(throws: URLError.self) { try await price(item) }
      }
      let error = await #expect(throws: CacheError.self) { try await price(6) }
      #expect(error?.code == .backingOff)  // at once: the source was not asked
      #expect(source.calls == 5)
      try await clock.advance(by: .seconds(10))
      #expect(try await price(6) == 100)  // the one that tries; the source is back
      #expect(try await price(7) == 100)
    }
    // end
    #expect(source.calls == 7)
    #expect(prices.statistics.breakerOpenings == 1)
  }

  @Test func `say who shares one`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    let source = CountingProducer<Int>.failing(URLError(.cannotConnectToHost))
    await clock.run {
      // snippet: Say who shares one
      var policy = CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
      policy.breaker = .feature
      policy.failuresToBackOff = 2
      let tea = prices.cached("tea", policy: policy) { (id: Int) in try await source() }
      let coffee = prices.cached("coffee", policy: policy) { (id: Int) in try await source() }

      for id in 1...2 {
        await #expect(throws: URLError.self) { try await tea(id) }
      }
      let error = await #expect(throws: CacheError.self) { try await coffee(1) }
      #expect(error?.code == .backingOff)
      // end
    }
    #expect(source.calls == 2)
  }
}
