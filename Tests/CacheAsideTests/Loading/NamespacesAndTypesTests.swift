import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct NamespacesAndTypesTests {
  @Test(arguments: Setup.allCases)
  func `K3 a scope has entries and loads of its own`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let plain = call(cache, producer)
    try await producer.waitForRuns(1)
    let scoped = Task {
      try await Caches.withScope(CacheScope(["user": "1"])) {
        try await cache.cached("k") { try await producer() }
      }
    }
    try await producer.waitForRuns(2)
    producer.release(1)
    #expect(try await plain.value == 1)
    producer.release(2)
    #expect(try await scoped.value == 2)
    for (user, value) in [("1", 2), ("2", nil)] as [(String, Int?)] {
      try await Caches.withScope(CacheScope(["user": user])) { () async throws in
        #expect(try await cache.value(for: "k") == value)
        #expect(cache["k"] == (setup == .suspending ? nil : value))
      }
    }
    #expect(try await cache.value(for: "k") == 1)
    try await Caches.withScope(CacheScope(["user": "1"])) { try await cache.remove("k") }
    #expect(try await cache.value(for: "k") == 1)
    try await Caches.withScope(CacheScope(["user": "1"])) {
      #expect(try await cache.value(for: "k") == nil)
      try cache.setBlocking(3, for: "k")
      try await cache.flush()
      try await cache.expire("k")
      #expect(try await cache.value(for: "k") == nil)
    }
    #expect(try await cache.value(for: "k") == 1)
  }

  @Test func `K3 another version starts empty`() async throws {
    let store = PlainStore()
    func open(_ version: Int?) throws -> Cache<String, Int> {
      try Cache(name: "feature", version: version) { Store(store) }
    }
    try await open(nil).set(1, for: "k")
    try await open(2).set(2, for: "k")
    #expect(try await open(nil).value(for: "k") == 1)
    #expect(try await open(2).value(for: "k") == 2)
    #expect(try await open(3).value(for: "k") == nil)
    try await open(2).removeAll()
    #expect(try await open(nil).value(for: "k") == 1)
  }

  @Test func `B073 K4 in memory two value types of one key live side by side`() async throws {
    let feature = try Caches.inMemory["feature"]
    #expect(try await feature.cached(key: "k") { 42 } == 42)
    #expect(try await feature.cached(key: "k") { "s" } == "s")
    #expect(try await feature.cached(key: "k") { 1.5 } == 1.5)
    #expect(try await feature.cached(key: "k") { 7 } == 42)
    try await feature.remove("k")
    #expect(try await feature.cached(key: "k") { 7 } == 7)
    #expect(try await feature.cached(key: "k") { "t" } == "t")
  }

  @Test func `B073 K4 in a store the last written type wins and others leave it`() async throws {
    let store = RecordingStore(PlainStore())
    let caches = try Caches { Feature("feature") { Store(store) } }
    let feature = try caches["feature"]
    let integers = feature.cache(CacheKey.self, Int.self)
    try await integers.set(42, for: "k")
    let strings = feature.cache(CacheKey.self, String.self)
    let doubles = feature.cache(CacheKey.self, Double.self)
    #expect(try await strings.value(for: "k") == nil)
    #expect(try await doubles.value(for: "k") == nil)
    #expect(try await integers.value(for: "k") == 42)
    #expect(store.count(of: .removeIfUnchanged) == 0)
    #expect(try await strings.cached("k") { "s" } == "s")
    #expect(try await strings.value(for: "k") == "s")
    #expect(try await integers.value(for: "k") == nil)
    #expect(try await integers.cached("k") { 43 } == 43)
  }

  @Test(arguments: [false, true])
  func `K4 a value and its optional are one entry`(hasStore: Bool) async throws {
    let caches = try Caches {
      Feature("feature") {
        Memory()
        if hasStore { Store(PlainStore()) }
      }
    }
    let feature = try caches["feature"]
    #expect(try await feature.cached(key: "k") { 1 } == 1)
    let optional: Int? = try await feature.cached(key: "k") { 2 as Int? }
    #expect(optional == 1)
    let absent: Int? = try await feature.cached(key: "nil") { nil as Int? }
    #expect(absent == nil)
    #expect(try await feature.cached(key: "nil") { 3 } == 3)
    let present: Int? = try await feature.cached(key: "nil") { nil as Int? }
    #expect(present == 3)
    try await feature.remove("k")
    #expect(try await feature.cached(key: "k") { 4 } == 4)
  }

  @Test func `F4 K4 a load closes no write of the other form, and leaves a newer one`()
    async throws
  {
    let clock = ManualClock()
    let caches = try Caches(time: clock.timeSource) { Feature("feature") { Memory() } }
    let feature = try caches["feature"]
    let plain = feature.cache(CacheKey.self, Int.self)
    let optional = feature.cache(CacheKey.self, Int?.self)
    let hash = optional.memory.hash(of: "k")
    let (write, load) = (
      optional.flights.registerWriter("k", hash: hash), optional.flights.register("k", hash: hash)
    )
    #expect(try await plain.refresh("k") { 1 } == 1)
    #expect(!write.isSuperseded)
    #expect(load.isSuperseded)
    optional.flights.unregister(write, key: "k", hash: hash)
    // One that was stored just when the load was.
    optional.memory.insert(
      2 as Int?,
      for: "k",
      hash: hash,
      storedAt: clock.timeSource.precise + 1_000_000_000,
      deadline: .max,
      cost: 1
    )
    #expect(try await plain.refresh("k") { 3 } == 3)
    #expect(optional.peek("k") == .some(2))
    // An older one gives way.
    try await optional.set(nil, for: "k")
    #expect(try await plain.refresh("k") { 4 } == 4)
    #expect(optional.peek("k") == nil)
    #expect(plain.isQuiet && optional.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `B068 a nil is a value like any other`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(String?.self, expiry: .seconds(60))
    let producer = CountingProducer<String?>.returning(nil)
    for _ in 0..<5 {
      let value = try await cache.cached("k") { try await producer() }
      #expect(value == nil)
    }
    #expect(producer.calls == 1)
    #expect(cache.statistics.hits == 4)
    #expect(cache.statistics.misses == 1)
    guard setup != .memory else { return }
    let reopened = try fixture.open(String?.self)
    _ = try await reopened.cached("k") { try await producer() }
    #expect(producer.calls == 1)
  }
}
