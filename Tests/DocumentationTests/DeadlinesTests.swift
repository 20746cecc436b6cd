import CacheAside
import CacheAsideTesting
import Foundation
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct DeadlinesTests {
  @Test func `settle for the old value`() async throws {
    // snippet: Settle for the old value
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    var policy = CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
    policy.softTimeout = .seconds(0.2)
    let price = prices.cached("price", policy: policy) { (item: String) in
      try await clock.sleep(for: .seconds(2))  // a slow source
      return 100
    }

    try await clock.run {
      let first = clock.startTask { try await price("tea") }
      try await clock.advance(by: .seconds(2))
      #expect(try await first.value == 100)  // nothing older: it waited

      try await clock.advance(by: .seconds(300))
      let second = clock.startTask { try await price.outcome("tea") }
      try await clock.advance(by: .milliseconds(200))
      #expect(try await second.value.source == .stale(.softTimeout))
      try await clock.advance(by: .milliseconds(1_800))
      #expect(price.peek("tea") == 100)  // the load went on and was stored
    }
    // end
  }

  @Test func `give up waiting`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    // snippet: Give up waiting
    var policy = CachePolicy(expiry: .minutes(5))
    policy.hardTimeout = .seconds(1)
    let price = prices.cached("price", policy: policy) { (item: String) in
      try await clock.sleep(for: .seconds(2))
      return 100
    }

    try await clock.run {
      let caller = clock.startTask { try await price("tea") }
      try await clock.advance(by: .seconds(1))
      let error = await #expect(throws: CacheError.self) { try await caller.value }
      #expect(error?.code == .timedOut)
      try await clock.advance(by: .seconds(1))
      #expect(price.peek("tea") == 100)
    }
    // end
  }

  @Test func `give up a load`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    // snippet: Give up a load
    let source = CountingProducer<Int> { run in
      if run == 1 { try await clock.sleep(for: .seconds(3_600)) }  // hangs
      return 100
    }
    var policy = CachePolicy(expiry: .minutes(5))
    policy.abandonAfter = .seconds(10)
    let price = prices.cached("price", policy: policy) { (item: String) in try await source() }

    try await clock.run {
      let caller = clock.startTask { try await price("tea") }
      try await clock.advance(by: .seconds(10))
      let error = await #expect(throws: CacheError.self) { try await caller.value }
      #expect(error?.code == .abandoned)
      #expect(try await price("tea") == 100)  // the key is free again
    }
    // end
  }

  @Test func `limit how many loads run`() async throws {
    // snippet: Limit how many loads run
    var policy = CachePolicy(expiry: .hours(1))
    policy.maximumConcurrentLoads = 8
    let caches = try Caches { Feature("reports", policy: policy) { Memory() } }
    // end
    let report = try caches["reports"].cached("report") { (id: Int) in id }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for id in 0..<32 { group.addTask { try await report(id) } }
      for try await _ in group {}
    }
    #expect(try caches["reports"].statistics.loads == 32)
  }

  @Test func `try again`() async throws {
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    // snippet: Try again
    let source = CountingProducer<Int> { run in
      if run < 3 { throw URLError(.networkConnectionLost) }
      return 100
    }
    var policy = CachePolicy(expiry: .minutes(5))
    policy.retries = Retries(3, pause: .seconds(1))  // pauses of 1, 2 and 4 seconds
    let price = prices.cached("price", policy: policy) { (item: String) in try await source() }

    try await clock.run {
      let caller = clock.startTask { try await price("tea") }
      try await clock.advance(by: .seconds(3))
      #expect(try await caller.value == 100)
      #expect(source.calls == 3)
    }
    // end
  }
}
