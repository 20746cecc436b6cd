import CacheAsideTesting
import Testing

@testable import CacheAside

/// What each mode reads, runs and stores, said by the call and bound around it.
@Suite(.timeLimit(.minutes(60)))
struct ModeTests {
  private static let policy = CachePolicy(
    expiry: .seconds(5),
    staleWhileRevalidate: .seconds(5),
    keepExpired: .seconds(60)
  )

  /// How a call gets its mode.
  enum Way: String, CaseIterable, Sendable {
    case said, bound

    func call(
      _ cache: Cache<String, Int>,
      _ mode: CacheMode,
      _ producer: CountingProducer<Int>
    ) async throws -> CacheOutcome<Int> {
      switch self {
      case .said: try await cache.outcome("k", mode: mode) { Produced(try await producer()) }
      case .bound:
        try await Caches.withMode(mode) {
          try await cache.outcome("k") { Produced(try await producer()) }
        }
      }
    }
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `reload runs although there is something fresh, and stores`(
    setup: Setup,
    way: Way
  ) async throws {
    let cache = try CacheFixture(setup).open(policy: Self.policy)
    let producer = CountingProducer { 10 + $0 }
    try await cache.set(1, for: "k")
    #expect(try await way.call(cache, .reload, producer).value == 11)
    #expect(try await way.call(cache, .reload, producer).source == .produced)
    #expect(try await cache.value(for: "k") == 12)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `bypass runs alone and leaves what is there`(setup: Setup, way: Way) async throws {
    let cache = try CacheFixture(setup).open(policy: Self.policy)
    let producer = CountingProducer { 10 + $0 }
    try await cache.set(1, for: "k")
    #expect(try await way.call(cache, .bypass, producer).value == 11)
    #expect(try await cache.value(for: "k") == 1)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `cacheOnly returns what is fresh and never runs`(setup: Setup, way: Way) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    let producer = CountingProducer { 10 + $0 }
    let empty = await #expect(throws: CacheError.self) {
      try await way.call(cache, .cacheOnly, producer)
    }
    #expect(empty?.code == .notCached)
    try await cache.set(1, for: "k")
    #expect(try await way.call(cache, .cacheOnly, producer).value == 1)
    try await fixture.clock.advance(by: .seconds(5))
    let expired = await #expect(throws: CacheError.self) {
      try await way.call(cache, .cacheOnly, producer)
    }
    #expect(expired?.code == .notCached)
    #expect(producer.calls == 0)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `anyAge returns what is kept, else runs`(setup: Setup, way: Way) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    let producer = CountingProducer { 10 + $0 }
    #expect(try await way.call(cache, .anyAge, producer).value == 11)
    try await fixture.clock.advance(by: .seconds(30))
    let old = try await way.call(cache, .anyAge, producer)
    #expect(old.value == 11 && old.source == .stale(.anyAge))
    #expect(producer.calls == 1)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `cacheThenRefresh returns what is fresh or in a window and runs behind`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    let producer = CountingProducer { 10 + $0 }
    try await fixture.clock.run {
      #expect(try await way.call(cache, .cacheThenRefresh, producer).value == 11)
      #expect(producer.calls == 1)
      #expect(try await way.call(cache, .cacheThenRefresh, producer).value == 11)
      try await fixture.clock.settle()
      #expect(producer.calls == 2)
      try await fixture.clock.advance(by: .seconds(6))
      let stale = try await way.call(cache, .cacheThenRefresh, producer)
      #expect(stale.value == 12 && stale.source == .stale(.revalidating))
      try await fixture.clock.settle()
      #expect(try await cache.value(for: "k") == 13)
      try await fixture.clock.advance(by: .seconds(11))
      #expect(try await way.call(cache, .cacheThenRefresh, producer).value == 14)
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: [Setup.disk, .suspending])
  func `cacheThenRefresh finds the stale record of an earlier process`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(5))
    try await fixture.clock.run {
      try await fixture.open(policy: policy).set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(6))
      let cache = try fixture.open(policy: policy)
      let producer = CountingProducer { 10 + $0 }
      let stale = try await cache.outcome("k", mode: .cacheThenRefresh) {
        Produced(try await producer())
      }
      #expect(stale.value == 1 && stale.source == .stale(.revalidating))
      try await fixture.clock.settle()
      #expect(producer.calls == 1)
      #expect(try await cache.value(for: "k") == 11)
    }
  }
}
