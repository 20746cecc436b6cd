import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BackgroundTests {
  private enum Request {
    @TaskLocal static var id = "none"
  }

  private final class Seen: Sendable {
    private let list = Lock<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ text: String) { list.withLock { $0.append(text) } }
  }

  private static let policy = CachePolicy(
    expiry: .seconds(5),
    staleWhileRevalidate: .seconds(100)
  )

  @Test func `F8 a background load sees the scope and nothing of the caller's request`()
    async throws
  {
    let clock = ManualClock()
    let caches = Caches.inMemory(time: clock.timeSource)
    let load = try caches["f"].cached("load", policy: Self.policy) { (id: Int) in
      "\(Request.id) \(Ambient.scope?["tenant"] ?? "no tenant")"
    }
    try await clock.run {
      try await Caches.withScope(["tenant": "north"]) {
        try await Request.$id.withValue("first") {
          #expect(try await load(1) == "first north")
          try await clock.advance(by: .seconds(5))
          #expect(try await load(1) == "first north")
        }
        try await clock.settle()
        #expect(try await load(1) == "none north")
      }
    }
  }

  @Test func `closing ends what runs in the background`() async throws {
    let fixture = try CacheFixture(.memory)
    let clock = fixture.clock
    let cache = try fixture.open(policy: Self.policy)
    let producer = GatedProducer<Int>()
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(5))
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await clock.settle()
      #expect(producer.waiting == 1)
      try await cache.close()
      try await clock.settle()
      #expect(producer.cancellations == 1)
      #expect(cache.flights.flightCount == 0)
    }
  }

  @Test func `background loads are bounded in number, and what did not fit is tried later`()
    async throws
  {
    let clock = ManualClock()
    let cache = try Cache<Int, Int>(name: "f", policy: Self.policy, time: clock.timeSource) {
      Memory(.count(3_000))
    }
    let producer = GatedProducer<Int>()
    try await clock.run {
      for key in 0..<1_100 { try await cache.set(0, for: key) }
      try await clock.advance(by: .seconds(5))
      for key in 0..<1_100 { #expect(try await cache.cached(key) { try await producer() } == 0) }
      try await clock.settle()
      #expect(producer.waiting == 1_024)
      for _ in 0..<1_024 { producer.release(1) }
      try await clock.settle()
      for key in 0..<1_100 where cache.peek(key) == nil {
        #expect(try await cache.cached(key) { try await producer() } == 0)
      }
      try await clock.settle()
      #expect(producer.waiting == 76)
      for _ in 0..<76 { producer.release(1) }
      try await clock.settle()
    }
    #expect(cache.isQuiet)
  }

  @Test func `F2 a cancelled caller still gets what needs no waiting`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = Self.policy
    policy.refreshAhead = .fraction(0.5)
    let cache = try fixture.open(policy: policy)
    try await cache.set(1, for: "k")
    for _ in 0..<2 {
      try await fixture.clock.advance(by: .seconds(3))
      let caller = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await cache.cached("k") {
          try await fixture.clock.sleep(for: .seconds(3_600))
          return 2
        }
      }
      #expect(try await caller.value == 1)
    }
  }

  @Test func `F4 a failure of what was replaced meanwhile lets nobody rest`() async throws {
    let fixture = try CacheFixture(.memory)
    let clock = fixture.clock
    let cache = try fixture.open(
      policy: CachePolicy(expiry: .seconds(5), staleIfError: .seconds(100))
        .cachingErrors(of: EngineError.self, for: .hours(1))
    )
    let producer = GatedProducer<Int>()
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(5))
      let caller = clock.startTask { try await cache.cached("k") { try await producer() } }
      try await clock.settle()
      try await cache.expire("k")
      producer.fail(EngineError.boom)
      #expect(try await caller.value == 1)
      #expect(try await cache.cached("k") { 2 } == 2)
    }
  }
}
