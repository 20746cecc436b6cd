import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Invalidation by tag and scope against loads that are going on (F4).
@Suite(.timeLimit(.minutes(60)))
struct SelectorFlightTests {
  typealias Setup = SelectorFixture.Setup

  enum Way: CaseIterable, Sendable {
    case remove, expire, removeBlocking, allOf, condition

    func callAsFunction(_ cache: Cache<CacheKey, Int>) async throws {
      switch self {
      case .remove: try await cache.remove(.tag("t"))
      case .expire: try await cache.expire(.tag("t"))
      case .removeBlocking: try cache.removeBlocking(.tag("t"))
      case .allOf: try await cache.remove(.tags(allOf: ["t", "u"]))
      case .condition: try await cache.remove(.where { $0.tags.contains("t") })
      }
    }
  }

  @Test(arguments: Setup.allCases, Way.allCases)
  func `B013 F4 a load with the call's tags that began before is never stored`(
    setup: Setup,
    way: Way
  ) async throws {
    for oldEndsFirst in [true, false] {
      let fixture = try SelectorFixture(setup)
      let caches = try fixture.open(CachePolicy(expiry: .seconds(60), tags: ["t", "u"]))
      let cache = try caches["f"].cache(CacheKey.self, Int.self)
      let (old, new) = (GatedProducer<Int>(), GatedProducer<Int>())
      let first = cache.start("k", old)
      try await old.waitForRuns(1)
      try await way(cache)
      let second = cache.start("k", new)
      try await new.waitForRuns(1)
      if oldEndsFirst {
        old.release(1)
        #expect(try await first.value == 1)
        #expect(try await cache.value(for: "k") == nil)
        new.release(2)
        #expect(try await second.value == 2)
      } else {
        new.release(2)
        #expect(try await second.value == 2)
        old.release(1)
        #expect(try await first.value == 1)
      }
      #expect(try await cache.value(for: "k") == 2)
      try await caches.flush()
      let again = try fixture.open()["f"].cache(CacheKey.self, Int.self)
      #expect(try await again.value(for: "k") == (setup.hasStore ? 2 : nil))
      #expect(cache.isQuiet)
    }
  }

  @Test(arguments: Setup.allCases, Way.allCases.filter { $0 != .condition })
  func `B013 F4 tags that only the producer knows count for those who came later`(
    setup: Setup,
    way: Way
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let caches = try fixture.open()
    let cache = try caches["f"].cache(CacheKey.self, Int.self)
    let (old, new) = (GatedProducer<Int>(), GatedProducer<Int>())
    let first = cache.start("k", old, "t", "u")
    try await old.waitForRuns(1)
    let before = cache.start("k", new, "t", "u")
    await cache.waiters(2)
    try await way(cache)
    let after = cache.start("k", new, "t", "u")
    await cache.waiters(3)
    old.release(1)
    #expect(try await first.value == 1)
    #expect(try await before.value == 1)
    try await new.waitForRuns(1)
    #expect(try await cache.value(for: "k") == nil)
    new.release(2)
    #expect(try await after.value == 2)
    #expect(try await cache.value(for: "k") == 2)
    #expect(new.calls == 1)
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `a load with other tags is stored, and joined by those who come later`(
    setup: Setup
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let producer = GatedProducer<Int>()
    let first = cache.start("k", producer, "other")
    try await producer.waitForRuns(1)
    try await cache.remove(.tag("t"))
    try await cache.expire(.tags(allOf: ["t", "other"]))
    let second = cache.start("k", producer, "other")
    await cache.waiters(2)
    producer.release(1)
    #expect(try await first.value == 1)
    #expect(try await second.value == 1)
    #expect(try await cache.value(for: "k") == 1)
    #expect(producer.calls == 1)
  }

  @Test(arguments: Setup.allCases)
  func `B015 F4 removing a tag reaches the loads that are going on`(setup: Setup) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let producer = GatedProducer<Int>()
    try await cache.load("c", 3, "t")
    let calls = ["a", "b"].map { cache.start($0, producer, "t") }
    try await producer.waitForRuns(2)
    try await cache.remove(.tag("t"))
    producer.release(1)
    producer.release(1)
    for call in calls { #expect(try await call.value == 1) }
    for key: CacheKey in ["a", "b", "c"] { #expect(try await cache.entry(for: key) == nil) }
    #expect(try await fixture.open()["f"].cache(CacheKey.self, Int.self).value(for: "a") == nil)
    let again = cache.start("a", producer, "t")
    try await producer.waitForRuns(3)
    producer.release(4)
    #expect(try await again.value == 4)
    #expect(try await cache.value(for: "a") == 4)
  }

  @Test(arguments: Setup.allCases)
  func `F4 removing a scope reaches its loads and no others`(setup: Setup) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let (here, there) = (GatedProducer<Int>(), GatedProducer<Int>())
    let first = cache.start("k", here)
    let second = Caches.withScope(SelectorFixture.north) { cache.start("k", there) }
    try await here.waitForRuns(1)
    try await there.waitForRuns(1)
    try await cache.remove(.namespace(SelectorFixture.north))
    let third = Caches.withScope(SelectorFixture.north) { cache.start("k", there) }
    try await there.waitForRuns(2)
    here.release(1)
    there.release(2)
    there.release(3)
    #expect(try await first.value == 1)
    #expect(try await Set([second.value, third.value]) == [2, 3])
    #expect(try await cache.value(for: "k") == 1)
    try await Caches.withScope(SelectorFixture.north) {
      let stored = try await cache.value(for: "k")
      #expect(try await stored == third.value)
    }
  }

  @Test(arguments: Setup.allCases)
  func `B020 a value removed by tag during a load helps nobody when it fails`(
    setup: Setup
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open(
      CachePolicy(expiry: .seconds(1), staleIfError: .hours(1))
    )["f"].cache(CacheKey.self, Int.self)
    try await cache.load("k", 1, "t")
    try await fixture.clock.advance(by: .seconds(10))
    let producer = GatedProducer<Int>()
    let call = cache.start("k", producer)
    try await producer.waitForRuns(1)
    try await cache.remove(.tag("t"))
    producer.fail(EngineError.boom)
    await #expect(throws: EngineError.boom) { try await call.value }
    await #expect(throws: EngineError.boom) { try await cache.failing("k") }
  }

  @Test(arguments: Setup.allCases)
  func `B020 a value removed by tag is served to no failing load`(setup: Setup) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open(
      CachePolicy(expiry: .seconds(1), staleIfError: .hours(1))
    )["f"].cache(CacheKey.self, Int.self)
    try await cache.load("k", 1, "t")
    try await fixture.clock.advance(by: .seconds(10))
    try await cache.remove(.tag("t"))
    await #expect(throws: EngineError.boom) { try await cache.failing("k") }
    #expect(try await cache.entry(for: "k") == nil)
  }

  enum Verb: CaseIterable, Sendable { case remove, removeBlocking, expire }

  @Test(arguments: [Setup.memory, .memoryAndDisk], Verb.allCases)
  func `F4 a removal by condition leaves alone what is stored while it judges`(
    setup: Setup,
    verb: Verb
  ) async throws {
    for policy in [CachePolicy(expiry: .seconds(100), staleIfError: .seconds(20)), CachePolicy()] {
      let fixture = try SelectorFixture(setup)
      let cache = try fixture.open(policy)["f"].cache(CacheKey.self, Int.self)
      try await cache.set(1, for: "k", tags: ["old"])
      try await cache.set(1, for: "other", tags: ["old"])
      let isWritten = Lock(false)
      let selector = CacheSelector.where { entry in
        let isFirst = isWritten.withLock { isWritten in
          defer { if entry.key == "k" { isWritten = true } }
          return !isWritten && entry.key == "k"
        }
        if isFirst { cache["k"] = 2 }
        return entry.tags.contains("old")
      }
      switch verb {
      case .remove: try await cache.remove(selector)
      case .removeBlocking: try cache.removeBlocking(selector)
      case .expire: try await cache.expire(selector)
      }
      #expect(isWritten.withLock { $0 })
      #expect(try await cache.value(for: "k") == 2)
      #expect(try await cache.value(for: "other") == nil)
      #expect(cache.isQuiet)
    }
  }
}
