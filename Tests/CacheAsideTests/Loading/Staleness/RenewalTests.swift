import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A value that gets a new lifetime is neither removed nor stored anew.
@Suite(.timeLimit(.minutes(60))) struct RenewalTests {
  private struct Removal: Equatable, Sendable { var value: Int, reason: RemovalReason }

  private let clock = ManualClock()
  private let removals = EventRecorder<Removal>()

  private func cache(_ policy: EvictionPolicy = .lazyTinyLFU) throws -> Cache<String, Int> {
    try Cache(
      name: "feature",
      policy: CachePolicy(expiry: .seconds(5), staleIfError: .seconds(50)),
      time: clock.timeSource,
      onRemoval: { [removals] _, value, reason in
        removals.record(Removal(value: value, reason: reason))
      },
      stores: { Memory(.count(10), policy: policy) }
    )
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `a renewal tells no listener and counts no removal (B308)`(policy: EvictionPolicy)
    async throws
  {
    let cache = try cache(policy)
    _ = try await cache.cached("x") { (_: Previous<Int>?) in Produced(7, validator: "v") }
    for _ in 0..<3 {
      try await clock.advance(by: .seconds(6))
      let value = try await cache.cached("x") { (_: Previous<Int>?) in .notModified }
      #expect(value == 7)
      #expect(cache.peek("x") == 7)
    }
    #expect(removals.events.isEmpty)
    #expect(cache.statistics.removals.values.reduce(0, +) == 0)
    #expect(cache.memory.counters.insertions == 1)
    // What really takes its place is told.
    try await cache.set(8, for: "x")
    #expect(removals.events == [Removal(value: 7, reason: .replaced)])
  }

  @Test func `a stale record that memory has too replaces nothing (B308)`() async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let cache = try Cache<String, Int>(
      name: "feature",
      policy: CachePolicy(expiry: .seconds(5), staleIfError: .seconds(50)),
      time: fixture.clock.timeSource,
      onRemoval: { [removals] _, value, reason in
        removals.record(Removal(value: value, reason: reason))
      },
      stores: {
        Memory()
        Store(try fixture.disk())
      }
    )
    try await cache.set(7, for: "x")
    try await fixture.clock.advance(by: .seconds(6))
    let value = try await cache.cached("x") { throw EngineError.boom }
    #expect(value == 7)
    let answers = EventRecorder<Int?>()
    cache.setObject(forKey: "x", cacheBlock: { _, failure in failure(EngineError.net) }) {
      object,
      _,
      _ in answers.record(object)
    }
    #expect(answers.events == [7])
    #expect(removals.events.isEmpty)
    #expect(cache.statistics.removals.values.reduce(0, +) == 0)
  }

  @Test func `a renewal that ends the value's life is told (B308)`() async throws {
    let cache = try Cache<String, Int>(
      name: "feature",
      policy: CachePolicy(expiry: .seconds(5), staleIfError: .seconds(50)),
      time: clock.timeSource,
      onRemoval: { [removals] _, value, reason in
        removals.record(Removal(value: value, reason: reason))
      },
      stores: { Memory() }
    )
    _ = try await cache.cached("x") { (_: Previous<Int>?) in Produced(7, validator: "v") }
    try await clock.advance(by: .seconds(6))
    _ = try await cache.cached("x") { (_: Previous<Int>?) in .notModified(expiry: .seconds(0)) }
    #expect(removals.events == [Removal(value: 7, reason: .replaced)])
  }

  @Test func `a renewal that needs room for its cost is no removal either (B308)`() throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(10), exact: true) {
      [removals] _, value, reason in
      removals.record(Removal(value: value, reason: reason))
    }
    store.insert(1, for: 1, cost: 5)
    store.insert(2, for: 2, cost: 5)
    let hash = store.hash(of: 1)
    do {
      var displaced = store.makeDisplaced(for: hash)
      let isStored = store.insert(
        1,
        for: 1,
        hash: hash,
        storedAt: 0,
        deadline: .max,
        cost: 7,
        isRenewal: true,
        displaced: &displaced
      )
      #expect(isStored)
    }
    #expect(store.entry(for: 1)?.cost == 7)
    #expect(removals.events == [Removal(value: 2, reason: .capacity)])
    #expect(store.counters.replaced == 0)
    #expect(store.counters.insertions == 2)
  }
}
