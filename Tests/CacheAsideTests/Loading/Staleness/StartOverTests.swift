import CacheAsideTesting
import Testing

@testable import CacheAside

/// Whoever has to wait is not made to wait for a load in the background that hangs.
@Suite(.timeLimit(.minutes(60)))
struct StartOverTests {
  private static let policy = CachePolicy(
    expiry: .seconds(10),
    staleWhileRevalidate: .seconds(5)
  )

  @Test(arguments: Setup.allCases)
  func `a reader that meets a hung load in the background starts over (B314)`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    let hung = GatedProducer<Int>()
    try await clock.run {
      #expect(try await cache.cached("k") { 1 } == 1)
      try await clock.advance(by: .seconds(11))
      #expect(try await cache.cached("k") { try await hung() } == 1)
      try await clock.advance(by: .seconds(5))
      #expect(hung.calls == 1)
      #expect(try await cache.cached("k") { 3 } == 3)
      try await clock.settle()
      #expect(hung.cancellations == 1)
      hung.release(2)
      try await clock.settle()
      #expect(try await cache.value(for: "k") == 3)
    }
    #expect(cache.statistics.abandonedLoads == 1)
    #expect(cache.statistics.refreshFailures == 1)
    #expect(cache.isQuiet)
  }

  @Test func `a load in the background that is not late is joined (B314)`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    let producer = GatedProducer<Int>()
    try await clock.run {
      // Loads here take four seconds.
      let first = clock.startTask { try await cache.cached("k") { try await producer() } }
      try await clock.advance(by: .seconds(4))
      producer.release(1)
      #expect(try await first.value == 1)
      try await clock.advance(by: .milliseconds(14_500))
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await clock.advance(by: .seconds(3))
      let readers = (0..<3).map { _ in clock.startTask { try await cache.cached("k") { 3 } } }
      try await clock.settle()
      producer.release(2)
      for reader in readers { #expect(try await reader.value == 2) }
    }
    #expect(producer.calls == 2)
    #expect(cache.isQuiet)
  }

  @Test func `callbacks and batches start over, too (B314)`() async throws {
    let fixture = try BatchFixture(.memory)
    let feature = try fixture.open(Self.policy)
    let cache = feature.integers
    let clock = fixture.clock
    let hung = GatedProducer<Int>()
    let batch = fixture.batch(feature)
    let results = EventRecorder<Int?>()
    try await clock.run {
      for key: CacheKey in ["n/1", "n/2"] { try await cache.set(1, for: key) }
      try await clock.advance(by: .seconds(11))
      for key: CacheKey in ["n/1", "n/2"] {
        #expect(try await cache.cached(key) { try await hung() } == 1)
      }
      try await clock.advance(by: .seconds(5))
      let caller = clock.startTask { try await batch([1]) }
      try await clock.settle()
      fixture.source.answer([1])
      #expect(try await caller.value == [1: 10])
      cache.load(
        "n/2",
        block: { success, _ in success(20, .never) },
        completion: { results.record(try? $0.get().value) }
      )
      #expect(results.events == [20])
      try await clock.settle()
      #expect(hung.cancellations == 2)
    }
    #expect(feature.isQuiet)
  }

  /// Which limit a policy sets, and what the error says of it.
  enum Limit: CaseIterable, Sendable {
    case background, set, derived

    var policy: CachePolicy {
      var policy = CachePolicy(expiry: .seconds(10), staleWhileRevalidate: .seconds(5))
      switch self {
      case .background: break
      case .set: policy.abandonAfter = .seconds(20)
      case .derived: policy.hardTimeout = .seconds(2)
      }
      return policy
    }

    var text: String {
      switch self {
      case .background: "1 min, which is the default of a load in the background (set abandonAfter)"
      case .set: "its abandonAfter of 20 s"
      case .derived: "its unset abandonAfter, ten times hardTimeout, of 20 s"
      }
    }
  }

  @Test(arguments: Limit.allCases)
  func `the error of a load that took too long says by which limit (B314)`(
    limit: Limit
  ) async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: limit.policy)
    let events = EventRecorder<CacheEvent>()
    cache.observe(EventObserver(events))
    let clock = fixture.clock
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .seconds(11))
      let hung = GatedProducer<Int>()
      #expect(try await cache.cached("k") { try await hung() } == 1)
      try await clock.advance(by: .seconds(61))
    }
    let errors = events.events.filter { $0.kind == .loadAbandoned }.map(\.description)
    #expect(errors.count == 1)
    #expect(errors.first?.contains("took longer than \(limit.text)") == true)
    #expect(cache.isQuiet)
  }
}
