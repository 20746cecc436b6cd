import CacheAside
import CacheAsideTesting
import Foundation
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct TestingTests {
  @Test func `give each test its own caches`() async throws {
    // snippet: Give each test its own caches
    try await Caches.withCurrent(.inMemory) {
      let user = try await cached(key: "user/42") { User(id: 42, name: "Ada") }
      #expect(user.name == "Ada")
    }
    // end
  }

  @Test func `move time`() async throws {
    // snippet: Move time
    let clock = ManualClock()
    let prices = try Caches.inMemory(time: clock.timeSource)["prices"]
    let price = prices.cached("price", expiry: .minutes(5)) { (item: String) in 100 }

    _ = try await price("tea")
    try await clock.advance(by: .seconds(299))
    #expect(price.peek("tea") == 100)
    try await clock.advance(by: .seconds(1))
    #expect(price.peek("tea") == nil)
    // end
  }

  @Test func `let work and time meet`() async throws {
    // snippet: Let work and time meet
    let clock = ManualClock()
    let slow = try Caches.inMemory(time: clock.timeSource)["slow"].cached("slow") { (id: Int) in
      try await clock.sleep(for: .seconds(2))
      return "value \(id)"
    }
    try await clock.run {
      async let value = slow(1)
      try await clock.advance(by: .seconds(2))
      let answer = try await value
      #expect(answer == "value 1")
    }
    // end
  }

  @Test func `hold a producer`() async throws {
    // snippet: Hold a producer
    let producer = GatedProducer<Int>()
    let answer = Task { try await cached(key: "answer") { try await producer() } }
    try await producer.waitForRuns(1)  // the load has begun
    producer.fail(URLError(.timedOut))
    await #expect(throws: URLError.self) { try await answer.value }
    // end
  }

  @Test func `break a store`() async throws {
    // snippet: Break a store
    let store = FaultInjectingStore(try MemoryCacheStore())
    let caches = try Caches {
      Feature("users") {
        Memory()
        Store(store)
      }
    }
    let users = try caches["users"].cache(Int.self, User.self)

    store.inject(.fail(URLError(.cannotWriteToFile)), on: .write)
    let user = try await users.cached(42) { User(id: 42, name: "Ada") }
    #expect(user.name == "Ada")  // a store's failure is not the caller's
    #expect(users.statistics.tiers[1].writeFailures == 1)
    // end
  }

  @Test func `see what a store was asked`() async throws {
    // snippet: See what a store was asked
    let store = RecordingStore(try MemoryCacheStore())
    let users = try Cache<Int, User>(name: "users") {
      Memory()
      Store(store)
    }
    _ = try await users.cached(42) { User(id: 42, name: "Ada") }
    _ = try await users.cached(42) { User(id: 42, name: "Ada") }
    #expect(store.operations.map(\.kind) == [.read, .write])
    // end
  }
}

// snippet: Give each test its own caches
struct OwnCaches: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Caches.withCurrent(.inMemory) { try await function() }
  }
}

@Suite(OwnCaches())
struct UserTests {
  @Test func `a user is loaded once`() async throws {
    let producer = CountingProducer { _ in User(id: 42, name: "Ada") }
    for _ in 1...3 { _ = try await cached(key: "user/42") { try await producer() } }
    #expect(producer.calls == 1)
  }
}
// end
