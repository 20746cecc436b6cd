import CacheAsideTesting
import Testing

@testable import CacheAside

/// Invalidations that one of two stores fails to carry out.
@Suite(.timeLimit(.minutes(60)))
struct SelectorFailureTests {
  enum Choice: CaseIterable, Sendable {
    case key, keys, tag, anyOf, allOf, scope, scopeless, condition, all

    var selector: CacheSelector {
      switch self {
      case .key: .key("k")
      case .keys: .keys(["k", "absent"])
      case .tag: .tag("t")
      case .anyOf: .tags(anyOf: ["t", "x"])
      case .allOf: .tags(allOf: ["t", "u"])
      case .scope: .namespace(SelectorFixture.north)
      case .scopeless: .namespace(.none)
      case .condition: .where { $0.tags == ["t", "u"] }
      case .all: .all
      }
    }

    var scope: CacheScope { self == .scope ? SelectorFixture.north : .none }
  }

  enum Verb: CaseIterable, Sendable {
    case remove, expire, removeBlocking, invalidating, removeOfFeature, expireOfFeature

    func callAsFunction(_ selector: CacheSelector, _ feature: CacheFeature) async throws {
      let cache = feature.cache(CacheKey.self, Int.self)
      switch self {
      case .remove: try await cache.remove(selector)
      case .expire: try await cache.expire(selector)
      case .removeBlocking: try cache.removeBlocking(selector)
      case .invalidating: try await feature.invalidating(selector) {}
      case .removeOfFeature: try await feature.remove(selector)
      case .expireOfFeature: try await feature.expire(selector)
      }
    }
  }

  typealias Faulty = FaultInjectingStore<MemoryCacheStore>

  /// The feature as a process of its own, over stores that others use too.
  private func open(_ stores: [Faulty], _ clock: ManualClock) throws -> CacheFeature {
    try Caches(time: clock.timeSource) {
      Feature("f") {
        Memory()
        for store in stores { Store(store) }
      }
    }["f"]
  }

  @Test(arguments: Choice.allCases, Verb.allCases)
  func `S1 it is thrown and reported, and only this process hides what is left`(
    choice: Choice,
    verb: Verb
  ) async throws {
    for failsNear in [true, false] {
      let clock = ManualClock()
      let near = Faulty(try MemoryCacheStore(time: clock.timeSource))
      let far = Faulty(try MemoryCacheStore(time: clock.timeSource))
      let feature = try open([near, far], clock)
      let events = EventRecorder<CacheEvent>()
      feature.observe(EventObserver(events))
      let cache = feature.cache(CacheKey.self, Int.self)
      try await Caches.withScope(choice.scope) {
        try await cache.load("k", 1, "t", "u")
        try await clock.advance(by: .seconds(1))
        let failing = failsNear ? near : far
        failing.inject(
          .fail(EngineError.boom),
          on: .invalidate,
          .scan,
          .remove,
          .removeAll,
          .write
        )
        let error = await #expect(throws: CacheError.self) {
          try await verb(choice.selector, feature)
        }
        #expect(error?.code == .removalFailed)
        #expect(error?.cause as? EngineError == .boom)
        #expect(Set(events.events.map(\.kind)) == [.removalFailed])
        // What is repeated meanwhile fails as well, and is not tried again before the clock moves.
        for tier in feature.core.tiers { await tier.queue.drain() }
        failing.heal()

        // The store that did its part has nothing fresh, the other one still has, for others.
        let key = CacheKey("k").within(Namespace("f").scoped(choice.scope))
        let done = try await (failsNear ? far : near).entry(for: key)
        #expect(done.map { $0.freshUntil <= clock.timeSource.wall } ?? true)
        let other = try open([failing], clock)
        let elsewhere = try await other.cache(CacheKey.self, Int.self).value(for: "k")
        #expect(elsewhere == 1)

        // Not in this process, whatever it asks and whatever happens in memory.
        for _ in 0..<2 {
          #expect(cache.peek("k") == nil && cache["k"] == nil)
          let read = try await cache.value(for: "k")
          let entry = try await cache.entry(for: "k")
          #expect(read == nil && entry == nil)
          cache.removeAllFromMemory()
        }

        // Doing it again makes it true for all.
        try await clock.advance(by: .seconds(1))
        try await verb(choice.selector, feature)
        let later = try open([near, far], clock)
        let gone = try await later.cache(CacheKey.self, Int.self).value(for: "k")
        #expect(gone == nil)
        try await cache.load("k", 2, "t", "u")
        cache.removeAllFromMemory()
        let again = try await cache.value(for: "k")
        #expect(again == 2)
      }
    }
  }
}
