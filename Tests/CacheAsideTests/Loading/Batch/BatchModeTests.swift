import CacheAsideTesting
import Testing

@testable import CacheAside

/// What each mode reads, asks for and stores of every id of a batch, said by the call and bound around
/// it.
@Suite(.timeLimit(.minutes(60)))
struct BatchModeTests {
  private static let policy = CachePolicy(
    expiry: .minutes(5),
    staleWhileRevalidate: .minutes(5),
    keepExpired: .minutes(60)
  )

  /// How a call gets its mode.
  enum Way: String, CaseIterable, Sendable {
    case said, bound

    func call(
      _ fetch: BatchMemoized<Int, Int>,
      _ ids: [Int],
      _ mode: CacheMode
    ) async -> [Result<Int?, any Error>] {
      switch self {
      case .said: await fetch.outcomes(ids, mode: mode).map(\.1)
      case .bound: await Caches.withMode(mode) { await fetch.outcomes(ids) }.map(\.1)
      }
    }
  }

  private func values(_ outcomes: [Result<Int?, any Error>]) throws -> [Int?] {
    try outcomes.map { try $0.get() }
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `reload asks once for all ids, cached or not, and stores what comes`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      for id in 1...2 { try await feature.integers.set(id, for: "n/\(id)") }
      fixture.source.answer([1, 2])
      #expect(try values(await way.call(fetch, [1, 2, 3, 1], .reload)) == [10, 20, nil, 10])
      #expect(fixture.source.asked == [[1, 2, 3]])
      #expect(try values(await way.call(fetch, [1, 2, 3], .default)) == [10, 20, nil])
      fixture.source.producer.release([3: 30])
      #expect(try values(await way.call(fetch, [3], .reload)) == [30])
      let pairs = fixture.batch(feature, maximum: 2)
      fixture.source.producer.release([1: 11, 2: 12])
      fixture.source.producer.release([3: 13])
      #expect(try values(await way.call(pairs, [1, 2, 3], .reload)) == [11, 12, 13])
      #expect(fixture.source.asked.dropFirst(2) == [[1, 2], [3]])
      #expect(try await feature.integers.values(for: ["n/1", "n/3"]) == ["n/1": 11, "n/3": 13])
    }
    #expect(feature.statistics.misses == 7)
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `F4 reload joins no load that began before it, and what that brings is not stored`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      let reload = fixture.clock.startTask { try await fetch([1], mode: .reload) }
      try await fixture.clock.settle()
      let joiner = fixture.clock.startTask { try await fetch([1, 2]) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2], [1]])
      fixture.source.answer([1, 2])
      #expect(try await first.value == [1: 10, 2: 20])
      fixture.source.producer.release([1: -1])
      #expect(try await reload.value == [1: -1])
      #expect(try await joiner.value == [1: -1, 2: 20])
      #expect(try await fetch([1, 2], mode: .cacheOnly) == [1: -1, 2: 20])
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `a reload that fails throws although there is something stale, and leaves it`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    var policy = Self.policy
    policy.staleIfError = .minutes(60)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      try await feature.integers.set(1, for: "n/1")
      try await fixture.clock.advance(by: .seconds(301))
      fixture.source.producer.fail(EngineError.boom)
      await #expect(throws: EngineError.boom) { try await fetch([1], mode: .reload) }
      #expect(try await fetch([1], mode: .anyAge) == [1: 1])
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `bypass asks once for all ids, shares nothing and leaves what is there`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      try await feature.integers.set(1, for: "n/1")
      let calls = (0..<2).map { _ in
        fixture.clock.startTask { await way.call(fetch, [1, 2, 3], .bypass) }
      }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2, 3], [1, 2, 3]])
      #expect(feature.integers.flights.registrationCount == 0)
      for _ in calls { fixture.source.answer([1, 2, 4]) }
      for call in calls { #expect(try values(try await call.value) == [10, 20, nil]) }
      let kept = try await feature.integers.values(for: ["n/1", "n/2", "n/4"])
      #expect(kept == ["n/1": 1])
      fixture.source.producer.fail(EngineError.boom)
      let failed = await way.call(fetch, [1], .bypass)
      #expect(throws: EngineError.boom) { try failed[0].get() }
      // Nothing is known to be absent either.
      fixture.source.answer([3])
      #expect(try await fetch([3]) == [3: 30])
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `cacheOnly gives what is fresh, and an error for what is not known, and never asks`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1])
      #expect(try await fetch([1, 2]) == [1: 10])
      let before = feature.statistics
      let outcomes = await way.call(fetch, [1, 2, 3], .cacheOnly)
      #expect(try values(Array(outcomes.prefix(2))) == [10, nil])
      #expect(throws: CacheError.self) { try outcomes[2].get() }
      let error = await #expect(throws: CacheError.self) {
        try await Caches.withMode(.cacheOnly) { try await fetch([1, 3]) }
      }
      #expect(error?.code == .notCached)
      #expect(error?.key == "n/3")
      #expect(feature.statistics.misses - before.misses == 2)
      #expect(feature.statistics.lookups - before.lookups == 5)
      try await fixture.clock.advance(by: .seconds(300))
      let expired = await way.call(fetch, [1, 2], .cacheOnly)
      for outcome in expired { #expect(throws: CacheError.self) { try outcome.get() } }
      #expect(fixture.source.asked == [[1, 2]])
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `anyAge gives what is kept, and asks once for the rest`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1])
      #expect(try values(await way.call(fetch, [1, 2], .anyAge)) == [10, nil])
      try await fixture.clock.advance(by: .seconds(1800))
      let before = feature.statistics.lookups
      fixture.source.answer([3, 4])
      #expect(try values(await way.call(fetch, [1, 2, 3, 4], .anyAge)) == [10, nil, 30, 40])
      #expect(fixture.source.asked == [[1, 2], [3, 4]])
      #expect(feature.statistics.lookups - before == 4)
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `cacheThenRefresh gives what is there, asks once behind it, and once for the rest`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open(Self.policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1, 2])
      _ = try await fetch([1, 2])
      try await fixture.clock.advance(by: .seconds(240))
      try await feature.integers.set(-3, for: "n/3")
      try await fixture.clock.advance(by: .seconds(120))
      // Two are in their stale window, one is fresh.
      let caller = fixture.clock.startTask {
        await way.call(fetch, [1, 2, 3, 4], .cacheThenRefresh)
      }
      try await fixture.clock.settle()
      #expect(Set(fixture.source.asked.dropFirst()) == [[1, 2, 3], [4]])
      for _ in 0..<2 { fixture.source.producer.release([1: 1, 2: 2, 3: 3, 4: 4]) }
      #expect(try values(await caller.value) == [10, 20, -3, 4])
      try await fixture.clock.settle()
      #expect(try await fetch([1, 2, 3, 4]) == [1: 1, 2: 2, 3: 3, 4: 4])
    }
    #expect(feature.statistics.refreshes == 3)
    #expect(feature.isQuiet)
  }

  @Test(arguments: [CacheMode.reload, .bypass, .cacheOnly, .anyAge, .cacheThenRefresh])
  func `values for keys are what they are in any mode`(mode: CacheMode) async throws {
    let fixture = try BatchFixture(.memoryAndDisk)
    let table = try fixture.open(Self.policy).integers
    try await fixture.clock.run {
      for id in 1...2 { try await table.set(id, for: "n/\(id)") }
      try await fixture.clock.advance(by: .seconds(300))
      try await table.set(3, for: "n/3")
      let values = try await Caches.withMode(mode) {
        try await table.values(for: ["n/1", "n/3", "n/4"])
      }
      #expect(values == ["n/3": 3])
    }
    #expect(fixture.source.calls.events.isEmpty)
  }
}
