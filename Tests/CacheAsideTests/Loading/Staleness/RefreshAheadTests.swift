import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct RefreshAheadTests {
  private static func policy(_ rule: RefreshAhead, expiry: Expiry = .seconds(100)) -> CachePolicy {
    var policy = CachePolicy(expiry: expiry)
    policy.refreshAhead = rule
    return policy
  }

  @Test(arguments: Setup.allCases)
  func `the first read past a part of the lifetime loads behind it`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy(.fraction(0.8)))
    let clock = fixture.clock
    try await clock.run {
      let producer = GatedProducer<Int>()
      #expect(try await cache.cached("k") { 1 } == 1)
      try await clock.advance(by: .milliseconds(79_999))
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await clock.settle()
      #expect(producer.calls == 0)
      try await clock.advance(by: .milliseconds(1))
      for _ in 0..<10 {
        let outcome = try await cache.outcome("k") { Produced(try await producer()) }
        #expect(outcome.value == 1)
        #expect(outcome.remainingLife == .seconds(20))
      }
      try await clock.settle()
      #expect(producer.calls == 1)
      producer.release(2)
      try await clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
      // The new value lives a whole lifetime.
      try await clock.advance(by: .seconds(79))
      #expect(try await cache.cached("k") { 3 } == 2)
    }
    #expect(cache.statistics.misses == 1)
    #expect(cache.statistics.hits == 13)
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `T1 reading several keys finds what is fresh and due for a refresh`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy(.fraction(0.5)))
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await cache.set(2, for: "l")
      try await fixture.clock.advance(by: .seconds(60))
      #expect(try await cache.values(for: ["k", "l", "m"]) == ["k": 1, "l": 2])
      #expect(cache.statistics.hits == 2)
      #expect(cache.statistics.misses == 1)
    }
  }

  @Test(arguments: Setup.allCases)
  func `a refresh goes on when the caller that triggered it is gone`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy(.fraction(0.5)))
    let clock = fixture.clock
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(60))
      let producer = GatedProducer<Int>()
      let gate = Gate()
      let caller = clock.startTask {
        #expect(try await cache.cached("k") { try await producer() } == 1)
        try await gate.wait()
      }
      try await clock.settle()
      #expect(producer.calls == 1)
      #expect(gate.waiting == 1)
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      try await clock.settle()
      #expect(producer.cancellations == 0)
      #expect(producer.waiting == 1)
      producer.release(2)
      try await clock.settle()
      #expect(producer.cancellations == 0)
      #expect(try await cache.cached("k") { 3 } == 2)
    }
  }

  @Test(arguments: Setup.allCases)
  func `a failed refresh rests and the value stays until its end`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    var policy = Self.policy(.fraction(0.5))
    policy.retryAfterFailure = .seconds(10)
    let cache = try fixture.open(policy: policy)
    let clock = fixture.clock
    let producer = CountingProducer<Int> { _ in throw EngineError.boom }
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(50))
      for _ in 0..<50 {
        #expect(try await cache.cached("k") { try await producer() } == 1)
        try await clock.advance(by: .seconds(1))
      }
      #expect(producer.calls == 5)
      await #expect(throws: EngineError.boom) {
        try await cache.cached("k") { try await producer() }
      }
    }
  }

  @Test func `reads that never load trigger nothing and still hit`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy(.fraction(0.5)))
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(60))
    #expect(cache.peek("k") == 1)
    #expect(cache["k"] == 1)
    #expect(try await cache.value(for: "k") == 1)
    #expect(try await cache.contains("k"))
    #expect(cache.isQuiet)
  }

  @Test func `a value that never expires is never refreshed ahead`() {
    let rule = RefreshAhead.fraction(0.5)
    #expect(rule.attention(storedAt: 0, deadline: .max, loadTime: 1) == nil)
    #expect(RefreshAhead.fraction(1) == .never)
    #expect(RefreshAhead.fraction(.nan) == .never)
    #expect(RefreshAhead.probabilistic(beta: -1) == .never)
    #expect(rule.attention(storedAt: 10, deadline: 110, loadTime: 0) == 60)
  }

  /// How many of 1,000 keys with one lifetime are loaded in each second, read ten times a second.
  private func reloads(_ rule: RefreshAhead) async throws -> [Int] {
    let clock = ManualClock(seed: 7)
    let cache = try Cache<Int, Int>(
      name: "xfetch",
      policy: Self.policy(rule),
      time: clock.timeSource
    ) { Memory(.count(2_000)) }
    let loads = Loads()
    let keys = 1_000
    try await clock.run {
      func read(_ key: Int) async throws {
        _ = try await cache.cached(key) {
          // Other keys' loads run meanwhile.
          try await clock.sleep(for: .seconds(15))
          loads.add(clock.elapsed)
          return key
        }
      }
      await withTaskGroup(of: Void.self) { group in
        for key in 0..<keys { group.addTask { try? await read(key) } }
        try? await clock.advance(by: .seconds(15))
      }
      loads.start = clock.elapsed
      for _ in 0..<1_200 {
        for key in 0..<keys {
          if cache.peek(key) != nil {
            try await read(key)
          } else if loads.beginWait(key) {
            // Who finds nothing waits for the load in a task of its own, one a key.
            clock.startTask {
              try await read(key)
              loads.endWait(key)
            }
          }
        }
        try await clock.advance(by: .milliseconds(100))
        if loads.count >= keys { break }
      }
      try await clock.advance(by: .seconds(15))
    }
    return loads.perSecond
  }

  @Test func `with XFetch a thousand entries of one lifetime are not loaded together`()
    async throws
  {
    let spread = try await reloads(.probabilistic(beta: 1))
    let total = spread.reduce(0, +)
    #expect(total >= 1_000)
    #expect(spread.max() ?? 0 <= total / 20, "\(spread)")
    let together = try await reloads(.never)
    #expect(together.max() ?? 0 >= together.reduce(0, +) * 99 / 100, "\(together)")
  }
}

/// When loads ended, after a start.
private final class Loads: Sendable {
  private struct State {
    var start: Duration?
    var seconds: [Int: Int] = [:]
    var count = 0
    var waiting: Set<Int> = []
  }

  private let state = Lock(State())

  var start: Duration? {
    get { state.withLock { $0.start } }
    set { state.withLock { $0.start = newValue } }
  }

  var count: Int { state.withLock { $0.count } }

  /// The numbers of the first 1,000 by seconds.
  var perSecond: [Int] {
    state.withLock { state in state.seconds.sorted { $0.key < $1.key }.map(\.value) }
  }

  func beginWait(_ key: Int) -> Bool { state.withLock { $0.waiting.insert(key).inserted } }

  func endWait(_ key: Int) { state.withLock { _ = $0.waiting.remove(key) } }

  func add(_ moment: Duration) {
    state.withLock { state in
      guard let start = state.start, state.count < 1_000 else { return }
      state.count += 1
      state.seconds[Int((moment - start).components.seconds), default: 0] += 1
    }
  }
}
