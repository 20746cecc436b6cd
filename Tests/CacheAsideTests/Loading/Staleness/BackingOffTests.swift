import CacheAsideTesting
import Testing

@testable import CacheAside

/// Loads that nobody waits for do not hammer a source that fails, whatever starts them.
@Suite(.timeLimit(.minutes(60)))
struct BackingOffTests {
  /// What starts a load behind an answer.
  enum Way: CaseIterable, Sendable {
    case updates, cacheThenRefresh, refreshAhead, staleWhileRevalidate, selector
    case batchThenRefresh
  }

  private static func policy(_ way: Way) -> CachePolicy {
    var policy = CachePolicy(expiry: .seconds(1_000))
    switch way {
    case .refreshAhead: policy.refreshAhead = .fraction(0.1)
    case .staleWhileRevalidate:
      policy.expiry = .seconds(5)
      policy.staleWhileRevalidate = .seconds(2_000)
    case .updates, .cacheThenRefresh, .selector, .batchThenRefresh: break
    }
    policy.retryAfterFailure = .seconds(10)
    policy.breaker = .off
    return policy
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `fifty reads of a source that is down ask it once a pause (B389)`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy(way))
    let cache = feature.integers
    let source = CountingProducer<Int>.failing(EngineError.net)
    let batch = feature.cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) async throws -> [Int: Int] in
      [1: try await source()]
    }
    try await fixture.clock.run {
      try await cache.set(1, for: "n/1")
      try await fixture.clock.advance(by: .seconds(200))
      if way == .selector { try feature.refresh(.all) }
      for pause in 1...2 {
        for _ in 0..<50 {
          switch way {
          case .updates:
            for try await value in cache.updates("n/1", { try await source() }) {
              #expect(value == 1)
            }
          case .cacheThenRefresh:
            let outcome = try await cache.outcome("n/1", mode: .cacheThenRefresh) {
              Produced(try await source())
            }
            #expect(outcome.value == 1)
          case .batchThenRefresh:
            #expect(try await batch([1], mode: .cacheThenRefresh) == [1: 1])
          case .refreshAhead, .staleWhileRevalidate, .selector:
            #expect(try await cache.cached("n/1") { try await source() } == 1)
          }
          try await fixture.clock.settle()
        }
        #expect(source.calls == pause)
        try await fixture.clock.advance(by: .seconds(10))
      }
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases, [false, true])
  func `a failed reload backs off for others and is itself never held back (B389)`(
    setup: Setup,
    isRefresh: Bool
  ) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .seconds(100))
    policy.retryAfterFailure = .seconds(10)
    policy.breaker = .off
    let cache = try fixture.open(policy: policy)
    let source = CountingProducer<Int>.failing(EngineError.net)
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(5))
      for _ in 0..<3 {
        await #expect(throws: EngineError.net) {
          if isRefresh {
            _ = try await cache.refresh("k") { try await source() }
          } else {
            _ = try await cache.outcome("k", mode: .reload) { Produced(try await source()) }
          }
        }
      }
      #expect(source.calls == 3)
      for _ in 0..<10 {
        let outcome = try await cache.outcome("k") { Produced(try await source()) }
        #expect(outcome.source == .stale(.resting))
        try await fixture.clock.settle()
      }
      #expect(source.calls == 3)
      _ = try await cache.outcome("k", mode: .reload) { Produced(2) }
      #expect(try await cache.cached("k") { 3 } == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test func `a callback load behind an answer backs off, too (B389)`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .seconds(1_000))
    policy.breaker = .off
    let cache = try fixture.open(policy: policy)
    let runs = EventRecorder<Int>()
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(5))
      for _ in 0..<50 {
        cache.load(
          "k",
          block: { _, failure in
            runs.record(1)
            failure(EngineError.net)
          },
          completion: { result in #expect((try? result.get().value) == 1) }
        )
      }
    }
    #expect(runs.events.count == 1)
  }
}
