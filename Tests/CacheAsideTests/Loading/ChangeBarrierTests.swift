import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A read that begins while a change goes through the tiers may see the old value, but must not
/// leave it anywhere (F4).
@Suite(.timeLimit(.minutes(60)))
struct ChangeBarrierTests {
  enum Change: CaseIterable, Sendable {
    case set, remove, expire, removeAll, reload, removeTag, expireTag, removeWhere, expireAll
  }

  /// Waits after reading and before changing, while it has a gate to wait at.
  final class HoldingStore: CacheStore {
    let base: MemoryCacheStore
    let name: String
    let reading = Lock<Gate?>(nil)
    let changing = Lock<Gate?>(nil)

    init(_ name: String) throws {
      self.name = name
      base = try MemoryCacheStore(limits: .unlimited)
    }

    var capabilities: StoreCapabilities { base.capabilities }

    func entry(for key: CacheKey) async throws -> CacheEntry? {
      let entry = await base.entry(for: key)
      await reading.withLock { $0 }?.waitIgnoringCancellation()
      return entry
    }

    func set(_ entry: CacheEntry, for key: CacheKey) async throws {
      await changing.withLock { $0 }?.waitIgnoringCancellation()
      await base.set(entry, for: key)
    }

    func remove(_ key: CacheKey) async throws {
      await changing.withLock { $0 }?.waitIgnoringCancellation()
      await base.remove(key)
    }

    func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
      await base.scan(namespace, visit)
    }

    func invalidate(_ invalidation: StoreInvalidation) async throws {
      await changing.withLock { $0 }?.waitIgnoringCancellation()
      await base.invalidate(invalidation)
    }

    func removeAll(in namespace: Namespace?) async throws {
      await changing.withLock { $0 }?.waitIgnoringCancellation()
      await base.removeAll(in: namespace)
    }
  }

  @Test(arguments: Change.allCases)
  func `F4 a read that began during a change stores nothing old`(change: Change) async throws {
    let upper = try HoldingStore("upper")
    let lower = try HoldingStore("lower")
    let cache = try Cache<String, Int>(name: "changes", policy: CachePolicy(tags: ["t"])) {
      Memory()
      Store(upper, readDeadline: .unlimited, writeDeadline: .unlimited)
      Store(lower, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    try await cache.set(1, for: "k")
    cache.removeFromMemory("k")
    let key = CacheKey("k").within(Namespace("changes"))
    await upper.base.remove(key)

    // The change waits before the slower store.
    let changing = Gate()
    lower.changing.withLock { $0 = changing }
    async let changed: Void = apply(change, to: cache)
    try await changing.waitForArrivals(1)
    // The read takes the old value out of the slower store, and waits with it in hand.
    let reading = Gate()
    lower.reading.withLock { $0 = reading }
    async let read = cache.value(for: "k")
    try await reading.waitForArrivals(1)
    lower.changing.withLock { $0 = nil }
    lower.reading.withLock { $0 = nil }
    changing.open()
    try await changed
    reading.open()
    #expect(try await read == 1)

    let expected = change == .set || change == .reload ? 2 : nil
    #expect(cache.peek("k") == expected)
    let inUpper = await upper.base.entry(for: key)
    #expect(inUpper?.payload == expected.map { Array("\($0)".utf8) })
    #expect(try await cache.value(for: "k") == expected)
  }

  @Test
  func `F4 a reload is stored while an older one is still being stored`() async throws {
    let upper = try HoldingStore("upper")
    let lower = try HoldingStore("lower")
    let cache = try Cache<String, Int>(name: "changes") {
      Memory()
      Store(upper, readDeadline: .unlimited, writeDeadline: .unlimited)
      Store(lower, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    try await cache.set(0, for: "k")

    // The older one has reached the slower store and waits before the faster one.
    let older = Gate()
    upper.changing.withLock { $0 = older }
    async let first = cache.refresh("k") { 1 }
    try await older.waitForArrivals(1)
    let newer = Gate()
    lower.changing.withLock { $0 = newer }
    async let second = cache.refresh("k") { 2 }
    try await newer.waitForArrivals(1)
    upper.changing.withLock { $0 = nil }
    older.open()
    newer.open()
    #expect(try await first == 1)
    #expect(try await second == 2)

    #expect(cache.peek("k") == 2)
    let key = CacheKey("k").within(Namespace("changes"))
    for store in [upper, lower] {
      #expect(await store.base.entry(for: key)?.payload == Array("2".utf8))
    }
  }

  @Test(arguments: [false, true])
  func `F4 what a removal overtook takes away nothing that was written after it`(
    isUpdate: Bool
  ) async throws {
    let upper = try HoldingStore("upper")
    let lower = try HoldingStore("lower")
    let cache = try Cache<String, Int>(name: "changes") {
      Memory()
      Store(upper, readDeadline: .unlimited, writeDeadline: .unlimited)
      Store(lower, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    let key = CacheKey("k").within(Namespace("changes"))
    let writing = Gate()
    lower.changing.withLock { $0 = writing }
    let first = Task {
      if isUpdate {
        try await cache.update("k", tags: ["t"]) { $0 = 1 }
      } else {
        try await cache.set(1, for: "k", tags: ["t"])
      }
    }
    try await writing.waitForArrivals(1)
    // Another process has removed the tag.
    cache.core.mark(StoreInvalidation(.remove, .anyOf(["t"]), in: Namespace("changes")), nil)
    let removing = Gate()
    lower.changing.withLock { $0 = nil }
    upper.changing.withLock { $0 = removing }
    writing.open()
    // The write takes away what it has written so far.
    try await removing.waitForArrivals(1)
    upper.changing.withLock { $0 = nil }
    let second = Task { try await cache.set(2, for: "k") }
    await until { lower.base.entryBlocking(for: key)?.payload == Array("2".utf8) }
    removing.open()
    try await first.value
    try await second.value
    #expect(cache.peek("k") == 2)
    for store in [upper, lower] {
      #expect(store.base.entryBlocking(for: key)?.payload == Array("2".utf8))
    }
    #expect(cache.isQuiet)
  }

  private func apply(_ change: Change, to cache: Cache<String, Int>) async throws {
    switch change {
    case .set: try await cache.set(2, for: "k")
    case .remove: try await cache.remove("k")
    case .expire: try await cache.expire("k")
    case .removeAll: try await cache.removeAll()
    case .reload: try await cache.refresh("k") { 2 }
    case .removeTag: try await cache.remove(.tag("t"))
    case .expireTag: try await cache.expire(.tags(allOf: ["t"]))
    case .removeWhere: try await cache.remove(.where { $0.tags == ["t"] })
    case .expireAll: try await cache.expire(.all)
    }
  }

  @Test func `F4 a read that began behind a queued clear returns nothing old (M50)`() async throws {
    let store = try HoldingStore("s")
    let cache = try Cache<String, Int>(name: "f") {
      Memory()
      Store(store, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    try await cache.set(1, for: "k")
    cache.removeAllFromMemory()
    let changing = Gate()
    store.changing.withLock { $0 = changing }
    try cache.removeAllBlocking()
    try await changing.waitForArrivals(1)
    let reading = Gate()
    store.reading.withLock { $0 = reading }
    let read = Task { try await cache.value(for: "k") }
    try await reading.waitForArrivals(1)
    store.reading.withLock { $0 = nil }
    store.changing.withLock { $0 = nil }
    changing.open()
    try await cache.flush()
    reading.open()
    #expect(try await read.value == nil)
  }

  @Test func `F4 a clear of two stores lets nothing into the faster one (M71)`() async throws {
    let folder = try TemporaryFolder()
    let files = FaultInjectingFileSystem()
    let upper = try DiskStore(directory: folder.path + "/u")
    let lower = try DiskStore(directory: folder.path + "/l", files: files)
    let cache = try Cache<String, Int>(name: "f") {
      Memory()
      Store(upper)
      Store(lower)
    }
    try await cache.set(1, for: "k")
    let reads = Lock<Int>(0)
    cache.removeAllFromMemory()
    // It is done when the ledger has got its name.
    files.before(.link) { _ in if cache["k"] != nil { reads.withLock { $0 += 1 } } }
    try await cache.removeAll()
    files.heal()
    #expect(reads.withLock { $0 } > 0)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `F4 a promotion that waits behind a load's write stores nothing old (M36)`()
    async throws
  {
    let upper = try HoldingStore("upper")
    let middle = try HoldingStore("middle")
    let lower = try HoldingStore("lower")
    let cache = try Cache<String, Int>(name: "f") {
      Store(upper, readDeadline: .unlimited, writeDeadline: .unlimited)
      Store(middle, readDeadline: .unlimited, writeDeadline: .unlimited)
      Store(lower, readDeadline: .unlimited, writeDeadline: .unlimited)
    }
    let key = CacheKey("k").within(Namespace("f"))
    let producer = GatedProducer<Int>()
    let load = Task { try await cache.cached("k") { try await producer() } }
    try await producer.waitForRuns(1)
    // Another process stores something meanwhile, and a read finds that.
    let other = try Cache<String, Int>(name: "f") { Store(lower) }
    try await other.set(1, for: "k")
    let reading = Gate()
    lower.reading.withLock { $0 = reading }
    let read = Task { try await cache.value(for: "k") }
    try await reading.waitForArrivals(1)
    lower.reading.withLock { $0 = nil }
    // The load has passed the slower stores and writes to the fastest one.
    let changing = Gate()
    upper.changing.withLock { $0 = changing }
    producer.release(2)
    try await changing.waitForArrivals(1)
    upper.changing.withLock { $0 = nil }
    reading.open()
    // The promotion has passed the middle store and waits at the gate that the load's write holds.
    let tier = cache.core.tiers[0]
    await until { tier.asyncGate.waiterCount == 1 }
    changing.open()
    #expect(try await load.value == 2)
    #expect(try await read.value == 1)
    #expect(try await cache.value(for: "k") == 2)
    await upper.base.remove(key)
    #expect(try await cache.value(for: "k") == 2)
  }
}
