import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Selectors and what happens in slower stores meanwhile.
@Suite(.timeLimit(.minutes(60)))
struct SelectorStoreTests {
  typealias Setup = SelectorFixture.Setup

  @Test(arguments: Setup.allCases)
  func `B016 removing a tag and setting follow each other by order, not by time`(
    setup: Setup
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let caches = try fixture.open(CachePolicy(tags: ["t"]))
    let cache = try caches["f"].cache(CacheKey.self, Int.self)
    for selector: CacheSelector in [.tag("t"), .tags(allOf: ["t"]), .where { $0.tags == ["t"] }] {
      try await cache.set(1, for: "k")
      try await cache.remove(selector)
      #expect(try await cache.value(for: "k") == nil)
      try await cache.set(2, for: "k")
      #expect(try await cache.value(for: "k") == 2)
      try cache.removeBlocking(selector)
      #expect(try await cache.value(for: "k") == nil)
      try await caches.flush()
      try await cache.set(3, for: "k")
      #expect(try await cache.value(for: "k") == 3)
      let again = try fixture.open()["f"].cache(CacheKey.self, Int.self)
      #expect(try await again.value(for: "k") == (setup.hasStore ? 3 : nil))
    }
  }

  @Test(arguments: [true, false])
  func `F4 a write that passed its check before the removal is removed with the rest`(
    isNative: Bool
  ) async throws {
    let base = isNative ? try MemoryCacheStore() : nil
    let faulty = FaultInjectingStore(Erased(base ?? ScanningStore()))
    let cache = try Cache<CacheKey, Int>(name: "f") {
      Memory()
      Store(faulty, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    let gate = Gate()
    faulty.inject(.delay(gate), on: .write, times: 1)
    let load = Task { try await cache.load("k", 1, "t") }
    try await gate.waitForArrivals(1)
    let removal = Task { try await cache.remove(.tag("t")) }
    await until { cache.core.stamps.now > 0 }
    gate.open()
    try await load.value
    try await removal.value
    #expect(cache.peek("k") == nil)
    #expect(try await faulty.entry(for: CacheKey("k").within(Namespace("f"))) == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `B018 a write that a removal overtakes leaves nothing older in its place`()
    async throws
  {
    let faulty = FaultInjectingStore(ScanningStore())
    let old = try Cache<CacheKey, Int>(name: "f") { Store(faulty) }
    try await old.set(1, for: "k")
    let cache = try Cache<CacheKey, Int>(name: "f", policy: CachePolicy(tags: ["t"])) {
      Memory()
      Store(faulty, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    #expect(try await cache.value(for: "k") == 1)
    let gate = Gate()
    faulty.inject(.delay(gate), on: .write, times: 1)
    let write = Task { try await cache.set(2, for: "k") }
    try await gate.waitForArrivals(1)
    let removal = Task { try await cache.remove(.tag("t")) }
    await until { cache.core.stamps.now > 0 }
    gate.open()
    try await write.value
    try await removal.value
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await faulty.entry(for: CacheKey("k").within(Namespace("f"))) == nil)
  }

  @Test(arguments: [false, true])
  func `F4 what is read from a store before its turn is out when the invalidation returns`(
    expires: Bool
  ) async throws {
    let faulty = FaultInjectingStore(Erased(try MemoryCacheStore()))
    let other = try Cache<CacheKey, Int>(name: "f") { Store(faulty) }
    try await other.load("k", 1, "t")
    let cache = try Cache<CacheKey, Int>(name: "f") {
      Memory()
      Store(faulty, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    let gate = Gate()
    faulty.inject(.delay(gate), on: .invalidate, times: 1)
    let invalidation = Task {
      if expires { try await cache.expire(.tag("t")) } else { try await cache.remove(.tag("t")) }
    }
    try await gate.waitForArrivals(1)
    #expect(try await cache.value(for: "k") == 1)
    #expect(cache.peek("k") == 1)
    gate.open()
    try await invalidation.value
    #expect(cache.peek("k") == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  enum Failing: CaseIterable { case remove, expire, blocking, allOf, condition }

  @Test(arguments: Failing.allCases)
  func `S1 a failed invalidation is thrown and the old value is not served even then`(
    way: Failing
  ) async throws {
    let clock = ManualClock()
    let faulty = FaultInjectingStore(try MemoryCacheStore(time: clock.timeSource))
    let cache = try Cache<CacheKey, Int>(name: "f", time: clock.timeSource) {
      Memory()
      Store(faulty, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    try await cache.load("k", 1, "t", "u")
    try await cache.load("other", 1, "v")
    faulty.inject(.fail(EngineError.boom), on: .invalidate, .scan)
    let error = await #expect(throws: CacheError.self) {
      switch way {
      case .remove: try await cache.remove(.tag("t"))
      case .expire: try await cache.expire(.tag("t"))
      case .blocking: try cache.removeBlocking(.tag("t"))
      case .allOf: try await cache.remove(.tags(allOf: ["t", "u"]))
      case .condition: try await cache.remove(.where { $0.tags.contains("t") })
      }
    }
    #expect(error?.code == .removalFailed)
    #expect(error?.cause as? EngineError == .boom)
    faulty.heal()
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.entry(for: "k") == nil)
    #expect(try await cache.entries().map(\.key) == ["other"])
    // The store answers again, so that what failed is repeated.
    try await cache.flush()
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "other") == 1)
    try await clock.advance(by: .seconds(1))
    try await cache.load("k", 2, "t", "u")
    cache.removeAllFromMemory()
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test func `a store that cannot list refuses before anything is changed`() async throws {
    let caches = try Caches {
      Feature("f") {
        Memory()
        Store(PlainStore())
      }
    }
    let feature = try caches["f"]
    let cache = feature.cache(CacheKey.self, Int.self)
    try await cache.load("k", 1, "t")
    try await Caches.withScope(SelectorFixture.north) { try await cache.load("k", 2, "t") }
    let refused: [CacheSelector] = [
      .tag("t"), .tags(allOf: ["t"]), .where { _ in true }, .namespace(.none),
    ]
    for selector in refused {
      let errors = [
        await #expect(throws: CacheError.self) { try await cache.remove(selector) },
        await #expect(throws: CacheError.self) { try await feature.expire(selector) },
        #expect(throws: CacheError.self) { try cache.removeBlocking(selector) },
        await #expect(throws: CacheError.self) {
          try await cache.invalidating(selector) { Issue.record("the write has begun") }
        },
      ]
      for error in errors { #expect(error?.code == .unsupported) }
    }
    #expect(cache.peek("k") == 1)
    try await cache.remove(.namespace(SelectorFixture.north))
    try await Caches.withScope(SelectorFixture.north) {
      let value = try await cache.value(for: "k")
      #expect(value == nil)
    }
    #expect(try await cache.value(for: "k") == 1)
    try await cache.remove(.key("k"))
    #expect(try await cache.value(for: "k") == nil)
    try await cache.remove(.all)
  }
}

/// Any store as one type.
struct Erased: CacheStore {
  let base: any CacheStore

  init(_ base: any CacheStore) { self.base = base }

  var name: String { base.name }
  var capabilities: StoreCapabilities { base.capabilities }
  func entry(for key: CacheKey) async throws -> CacheEntry? { try await base.entry(for: key) }
  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await base.set(entry, for: key)
  }
  func remove(_ key: CacheKey) async throws { try await base.remove(key) }
  func removeAll(in namespace: Namespace?) async throws {
    try await base.removeAll(in: namespace)
  }
  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    try await base.scan(namespace, visit)
  }
  func invalidate(_ invalidation: StoreInvalidation) async throws {
    try await base.invalidate(invalidation)
  }
}
