import CacheAsideTesting
import Testing

@testable import CacheAside

/// Callers that meet a load behind answers in a feature whose only tier another process removes from.
@Suite(.timeLimit(.minutes(60)))
struct BesideTests {
  /// Why the load runs although there is something to answer with.
  enum Reason: String, CaseIterable, Sendable { case ahead, stale }

  /// How the other process removes it.
  enum Removal: String, CaseIterable, Sendable { case key, tag, all }

  private static func policy(_ reason: Reason) -> CachePolicy {
    var policy = CachePolicy(expiry: .minutes(10), staleWhileRevalidate: .minutes(60))
    if reason == .ahead { policy.refreshAhead = .fraction(0.5) }
    return policy
  }

  /// A value that is being loaded behind its readers, by the first run of a producer.
  private func refreshing(
    _ reason: Reason,
    _ cache: Cache<String, Int>,
    _ clock: ManualClock,
    _ producer: GatedProducer<Produced<Int>>
  ) async throws {
    #expect(try await cache.cached("k") { Produced(1, tags: ["red"]) } == 1)
    try await clock.advance(by: .seconds(reason == .ahead ? 400 : 700))
    #expect(try await cache.cached("k") { try await producer() } == 1)
    try await clock.settle()
    #expect(producer.calls == 1)
    // Who comes now reads what is there.
    #expect(try await cache.cached("k") { try await producer() } == 1)
    #expect(producer.calls == 1)
  }

  @Test(arguments: Reason.allCases, Removal.allCases)
  func `F4 who comes after another process's removal gets neither the old value nor the old load`(
    reason: Reason,
    removal: Removal
  ) async throws {
    let fixture = try CacheFixture(.disk)
    let policy = Self.policy(reason)
    let (cache, other) = (try fixture.open(policy: policy), try fixture.open(policy: policy))
    try await fixture.clock.run {
      let producer = GatedProducer<Produced<Int>>()
      try await refreshing(reason, cache, fixture.clock, producer)
      switch removal {
      case .key: try await other.remove("k")
      case .tag: try await other.remove(.tag("red"))
      case .all: try await other.removeAll()
      }
      let callers = (0..<2).map { _ in
        fixture.clock.startTask { try await cache.cached("k") { try await producer() } }
      }
      try await fixture.clock.settle()
      #expect(producer.calls == 2)
      producer.release(Produced(-1))
      producer.release(Produced(2))
      for caller in callers { #expect(try await caller.value == 2) }
      try await fixture.clock.settle()
      #expect(try await cache.value(for: "k") == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: Reason.allCases)
  func `F4 the same for a tag that only the record knows, removed in this process`(
    reason: Reason
  ) async throws {
    let fixture = try CacheFixture(.disk)
    let cache = try fixture.open(policy: Self.policy(reason))
    try await fixture.clock.run {
      let producer = GatedProducer<Produced<Int>>()
      try await refreshing(reason, cache, fixture.clock, producer)
      try await cache.remove(.tag("red"))
      let caller = fixture.clock.startTask { try await cache.cached("k") { try await producer() } }
      try await fixture.clock.settle()
      // Whether the new value will carry the tag is known when it is there.
      #expect(producer.calls == 1)
      producer.release(Produced(-1, tags: ["red"]))
      producer.release(Produced(2, tags: ["red"]))
      #expect(try await caller.value == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: Reason.allCases, Removal.allCases)
  func `F4 the same for the keys of a batch`(reason: Reason, removal: Removal) async throws {
    let fixture = try BatchFixture(.disk)
    var policy = Self.policy(reason)
    policy.tags = ["red"]
    let (feature, other) = (try fixture.open(policy), try fixture.open(policy))
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1, 2])
      _ = try await fetch([1, 2])
      try await fixture.clock.advance(by: .seconds(reason == .ahead ? 400 : 700))
      for _ in 0..<2 {
        #expect(try await fetch([1, 2]) == [1: 10, 2: 20])
        try await fixture.clock.settle()
      }
      #expect(fixture.source.asked == [[1, 2], [1, 2]])
      let gone = removal == .key ? [1] : [1, 2]
      switch removal {
      case .key: try await other.remove("n/1")
      case .tag: try await other.remove(.tag("red"))
      case .all: try await other.removeAll()
      }
      let callers = (0..<2).map { _ in fixture.clock.startTask { try await fetch([1, 2]) } }
      try await fixture.clock.settle()
      #expect(fixture.source.asked.dropFirst(2) == [gone])
      fixture.source.producer.release([1: -1, 2: -2])
      fixture.source.producer.release([1: 1, 2: 2])
      for caller in callers {
        #expect(try await caller.value == (removal == .key ? [1: 1, 2: 20] : [1: 1, 2: 2]))
      }
      try await fixture.clock.settle()
      let values = try await feature.integers.values(for: ["n/1", "n/2"])
      #expect(values == (removal == .key ? ["n/1": 1, "n/2": -2] : ["n/1": 1, "n/2": 2]))
    }
    #expect(feature.isQuiet)
  }
}
