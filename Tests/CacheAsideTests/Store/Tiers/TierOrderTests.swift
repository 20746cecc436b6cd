import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct TierOrderTests {
  private let key = CacheKey(text: "k", namespace: Namespace("feature"))

  @Test(arguments: StoreKind.allCases)
  func `F4 a removal is acknowledged after every older write, and nothing is left`(
    kind: StoreKind
  ) async throws {
    try await race(kind) { try await $0.remove("k") }
  }

  @Test(arguments: StoreKind.allCases)
  func `F4 a clear is acknowledged after every older write, and nothing is left`(
    kind: StoreKind
  ) async throws {
    try await race(kind) { try await $0.removeAll() }
  }

  @Test(arguments: StoreKind.allCases)
  func `F4 an expire is acknowledged after every older write, and nothing fresh is left`(
    kind: StoreKind
  ) async throws {
    try await race(kind) { try await $0.expire("k") }
  }

  /// Holds a load's write inside the store, invalidates, and lets the write go on.
  private func race(
    _ kind: StoreKind,
    _ invalidate: @escaping @Sendable (Cache<String, Int>) async throws -> Void
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    let load = Task { try await cache.cached("k") { 1 } }
    try await gate.waitForArrivals(1)
    let isOver = EventRecorder<Bool>()
    let invalidation = Task {
      try await invalidate(cache)
      isOver.record(true)
    }
    // The removal has marked the load; give it every chance to overtake the write.
    await until { cache.flights.registrationCount == 0 }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(isOver.events.isEmpty)
    gate.open()
    try await invalidation.value
    #expect(try await load.value == 1)
    #expect(try await fixture.record() == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `S4 a load is stored slowest first, memory last, and then its callers go on`()
    async throws
  {
    let order = EventRecorder<String>()
    let gate = Gate()
    let fast = OrderedStore("fast", order)
    let slow = OrderedStore("slow", order)
    let gated = FaultInjectingStore(fast)
    gated.inject(.delay(gate), on: .write, times: 1)
    let cache = try Cache<String, Int>(name: "feature") {
      Memory()
      Store(gated, readDeadline: .unlimited, writeDeadline: .unlimited)
      Store(slow, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    let caller = Task {
      let value = try await cache.cached("k") { 1 }
      order.record("caller \(cache.peek("k") ?? 0)")
      return value
    }
    try await gate.waitForArrivals(1)
    #expect(order.events == ["read fast", "read slow", "write slow"])
    #expect(cache.peek("k") == nil)
    gate.open()
    #expect(try await caller.value == 1)
    #expect(
      order.events == ["read fast", "read slow", "write slow", "write fast", "caller 1"]
    )
  }

  @Test(arguments: [true, false])
  func `S4 a promotion keeps the remaining life and the rest of the record`(
    isBlocking: Bool
  ) async throws {
    let clock = ManualClock()
    let fast = PlainStore()
    let folder = try TemporaryFolder()
    let slow = try DiskStore(directory: folder.path + "/cache", time: clock.timeSource)
    func open() throws -> Cache<String, Int> {
      try Cache(
        name: "feature",
        policy: CachePolicy(keepExpired: .seconds(7)),
        time: clock.timeSource
      ) {
        Memory()
        Store(fast)
        Store(slow)
      }
    }
    try await open().set(1, for: "k", expiry: .seconds(30))
    try await fast.removeAll(in: nil)
    try await clock.advance(by: .seconds(20))
    let cache = try open()
    if isBlocking {
      #expect(cache["k"] == 1)
      try await cache.flush()
    } else {
      #expect(try await cache.value(for: "k") == 1)
    }
    #expect(try await fast.entry(for: key) == slow.entry(for: key))
    #expect(try await fast.entry(for: key) != nil)
    #expect(try await cache.entry(for: "k")?.remainingLife == .seconds(10))
    try await clock.advance(by: .seconds(10))
    #expect(cache.peek("k") == nil)
    #expect(cache.memory.entry(for: "k")?.value == 1)
    try await clock.advance(by: .seconds(8))
    #expect(try await cache.entry(for: "k") == nil)
  }

  @Test func `B087 S4 a tier's own limit counts from the promotion`() async throws {
    let clock = ManualClock()
    let (near, far) = (PlainStore(), PlainStore())
    let cache = try Cache<String, Int>(name: "feature", time: clock.timeSource) {
      Store(near, lifetimeCap: .seconds(10))
      Store(far)
    }
    try await cache.set(1, for: "k", expiry: .hours(1))
    let start = clock.wallMicroseconds
    #expect(try await near.entry(for: key)?.freshUntil == start + 10_000_000)
    #expect(try await far.entry(for: key)?.freshUntil == start + 3_600_000_000)
    try await clock.advance(by: .seconds(20))
    #expect(try await cache.value(for: "k") == 1)
    #expect(try await near.entry(for: key)?.freshUntil == start + 30_000_000)
    // Another process changes the far store: seen when the near one's copy has ended.
    var changed = try #require(try await far.entry(for: key))
    changed.payload = Array("2".utf8)
    try await far.set(changed, for: key)
    try await clock.advance(by: .seconds(5))
    #expect(try await cache.value(for: "k") == 1)
    try await clock.advance(by: .seconds(6))
    #expect(try await cache.value(for: "k") == 2)
    // The remaining life beats the limit.
    try await cache.set(3, for: "k", expiry: .seconds(30))
    try await near.removeAll(in: nil)
    try await clock.advance(by: .seconds(25))
    #expect(try await cache.value(for: "k") == 3)
    try await clock.advance(by: .seconds(5))
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `T2 S4 a value without an end has its windows after a tier's own limit`() async throws
  {
    let (clock, near) = (ManualClock(), PlainStore())
    let policy = CachePolicy(staleWhileRevalidate: .seconds(5), staleIfError: .seconds(20))
    let cache = try Cache<String, Int>(name: "feature", policy: policy, time: clock.timeSource) {
      Store(near, lifetimeCap: .seconds(10))
    }
    try await cache.set(1, for: "k")
    let record = try #require(try await near.entry(for: key))
    let end = clock.wallMicroseconds + 10_000_000
    #expect(record.freshUntil == end)
    #expect(record.keptUntil == end + 20_000_000)
    #expect(record.metadata.staleWhileRevalidateEnd == end + 5_000_000)
    #expect(record.metadata.staleIfErrorEnd == end + 20_000_000)
  }

  @Test func `B091 a reader's clean-up spares what was written meanwhile`() async throws {
    let store = FaultInjectingStore(PlainStore())
    let cache = try Cache<String, Int>(name: "feature") { Store(store) }
    var damaged = CacheEntry(payload: [1], codec: .json, type: 0, created: 0)
    damaged.type = cache.type
    damaged.schema = cache.schema
    try await store.base.set(damaged, for: key)
    let gate = Gate()
    store.inject(.delay(gate), on: .removeIfUnchanged, times: 1)
    let reader = Task { try await cache.value(for: "k") }
    try await gate.waitForArrivals(1)
    // Another process writes.
    var fresh = damaged
    fresh.payload = Array("2".utf8)
    fresh.created = 1
    try await store.base.set(fresh, for: key)
    gate.open()
    #expect(try await reader.value == nil)
    #expect(try await cache.value(for: "k") == 2)
    try await store.base.set(damaged, for: key)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await store.base.entry(for: key) == nil)
  }

  @Test(arguments: [Setup.memoryAndDisk])
  func `B093 a produced value is in every tier, and another process finds it`(
    setup: Setup
  ) async throws {
    let clock = ManualClock()
    let fixture = try CacheFixture(setup)
    let plain = PlainStore()
    func open() throws -> Cache<String, Int> {
      try Cache(name: "feature", expiry: .seconds(60), time: clock.timeSource) {
        Memory()
        Store(try fixture.disk())
        Store(plain)
      }
    }
    let cache = try open()
    clock.setWall(fixture.clock.wallMicroseconds)
    #expect(try await cache.cached("k") { 5 } == 5)
    let record = try #require(try await fixture.record("k"))
    #expect(try await plain.entry(for: key) == record)
    #expect(record.freshUntil == clock.wallMicroseconds + 60_000_000)
    #expect(cache.peek("k") == 5)
    let producer = CountingProducer<Int>.returning(6)
    #expect(try await open().cached("k") { try await producer() } == 5)
    #expect(producer.calls == 0)
  }
}

/// A store that notes its reads and writes under its name in an order shared with others.
struct OrderedStore: CacheStore {
  let base = PlainStore()
  let name: String
  let order: EventRecorder<String>
  let capabilities: StoreCapabilities = []

  init(_ name: String, _ order: EventRecorder<String>) {
    self.name = name
    self.order = order
  }

  func entry(for key: CacheKey) async throws -> CacheEntry? {
    order.record("read \(name)")
    return try await base.entry(for: key)
  }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await base.set(entry, for: key)
    order.record("write \(name)")
  }

  func remove(_ key: CacheKey) async throws { try await base.remove(key) }
  func removeAll(in namespace: Namespace?) async throws { try await base.removeAll(in: namespace) }
}
