import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// What becomes of everything that was begun before, during and after `close`.
@Suite(.timeLimit(.minutes(60)))
struct ClosingTests {
  private func isClosed(_ error: any Error) -> Bool { (error as? CacheError)?.code == .closed }

  /// Whether a verb throws that the cache is closed.
  private func isRefused(_ verb: () async throws -> Void) async -> Bool {
    do { try await verb() } catch { return isClosed(error) }
    return false
  }

  /// Begins to close, and returns once everything new is refused.
  private func closing<Key, Value>(
    _ cache: Cache<Key, Value>,
    within limit: Window? = nil,
    then note: @escaping @Sendable () -> Void = {}
  ) async -> Task<Void, any Error> {
    let task = Task {
      defer { note() }
      try await cache.close(within: limit)
    }
    await until { cache.core.isClosed }
    return task
  }

  @Test(arguments: StoreKind.allCases)
  func `close waits for a write that has begun, and it is there (B364)`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    try await fixture.cache.set(1, for: "k")
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    let writing = Task { try await fixture.cache.set(9, for: "k") }
    try await gate.waitForArrivals(1)
    let hasClosed = Counter()
    let closing = await closing(fixture.cache) { hasClosed.add() }
    for _ in 0..<50 { await Task.yield() }
    #expect(hasClosed.count == 0)
    #expect(!fixture.operations.contains(.close))
    gate.open()
    try await writing.value
    try await closing.value
    #expect(fixture.operations.last == .close)
    let record = try await fixture.record()
    let reader = try Cache<String, Int>(name: "feature", time: fixture.clock.timeSource) {
      Store(RecordStore(record))
    }
    #expect(try await reader.value(for: "k") == 9)
  }

  @Test func `close waits for queued writes, in their order (M55)`() async throws {
    let fixture = try TierFixture(.suspending)
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    fixture.cache["k"] = 1
    fixture.cache["l"] = 2
    try await gate.waitForArrivals(1)
    let hasClosed = Counter()
    let closing = await closing(fixture.cache) { hasClosed.add() }
    for _ in 0..<50 { await Task.yield() }
    #expect(hasClosed.count == 0)
    #expect(!fixture.operations.contains(.close))
    gate.open()
    try await closing.value
    #expect(try await fixture.record("k") != nil)
    #expect(try await fixture.record("l") != nil)
    #expect(fixture.operations.last == .close)
  }

  @Test(arguments: StoreKind.allCases)
  func `a refresh that writes when close begins is awaited, and no later one writes (B364)`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    try await fixture.cache.set(1, for: "k")
    // First, since no load begins while a thread of the manual clock is held.
    let producer = GatedProducer<Int>()
    let load = Task { try await fixture.cache.cached("other") { try await producer() } }
    try await producer.waitForRuns(1)
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    let refresh = Task { try await fixture.cache.refresh("k") { 2 } }
    try await gate.waitForArrivals(1)
    let hasClosed = Counter()
    let closing = await closing(fixture.cache) { hasClosed.add() }
    for _ in 0..<50 { await Task.yield() }
    #expect(hasClosed.count == 0)
    gate.open()
    // The load with a live waiter is not waited for.
    try await closing.value
    #expect(try await refresh.value == 2)
    let operations = fixture.operations
    producer.release(3)
    #expect(try await load.value == 3)
    #expect(fixture.operations == operations)
    #expect(operations.last == .close)
    #expect(try await fixture.record("other") == nil)
    #expect(fixture.kinds == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `a refresh in the background is cancelled and writes nothing (B364)`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let producer = GatedProducer<Int>(honoursCancellation: false)
    let clock = fixture.clock
    try await clock.run {
      try await fixture.cache.set(
        1,
        for: "k",
        expiry: .seconds(1),
        staleWhileRevalidate: .seconds(100)
      )
      try await clock.advance(by: .seconds(2))
      let policy = CachePolicy(staleWhileRevalidate: .seconds(100))
      let stale = try await fixture.cache.cached("k", policy: policy) { try await producer() }
      #expect(stale == 1)
      try await producer.waitForRuns(1)
      try await fixture.cache.close()
      let operations = fixture.operations
      producer.release(2)
      try await clock.settle()
      #expect(fixture.operations == operations)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `every verb but loads is refused after close, and nothing is dropped (B365)`(
    kind: StoreKind
  ) async throws {
    let fixture = try TierFixture(kind)
    let cache = fixture.cache
    try await cache.set(1, for: "k")
    try await cache.close()
    let operations = fixture.operations
    let verbs: [(String, () async throws -> Void)] = [
      ("set", { try await cache.set(2, for: "k") }),
      ("set without a lifetime", { try await cache.set(2, for: "k", expiry: .seconds(0)) }),
      ("setBlocking", { try cache.setBlocking(2, for: "k") }),
      ("update", { try await cache.update("k") { $0 = 2 } }),
      ("remove", { try await cache.remove("k") }),
      ("removeBlocking", { try cache.removeBlocking("k") }),
      ("remove(selector)", { try await cache.remove(.tag("t")) }),
      ("removeBlocking(selector)", { try cache.removeBlocking(.tag("t")) }),
      ("removeAll", { try await cache.removeAll() }),
      ("removeAllBlocking", { try cache.removeAllBlocking() }),
      ("removeExpired", { try await cache.removeExpired() }),
      ("expire", { try await cache.expire("k") }),
      ("expire(selector)", { try await cache.expire(.all) }),
      ("refresh", { try await cache.refresh("k") { 2 } }),
      ("refresh(selector)", { try cache.refresh(.all) }),
      ("invalidating", { try await cache.invalidating(.all) {} }),
      ("value", { _ = try await cache.value(for: "k") }),
      ("values", { _ = try await cache.values(for: ["k"]) }),
      ("contains", { _ = try await cache.contains("k") }),
      ("entry", { _ = try await cache.entry(for: "k") }),
      ("entries", { _ = try await cache.entries() }),
      ("saveMemory", { try await cache.saveMemory(to: fixture.folder.path + "/memory") }),
      ("restoreMemory", { try await cache.restoreMemory(from: fixture.folder.path + "/memory") }),
    ]
    for (name, verb) in verbs {
      #expect(await isRefused(verb), "\(name)")
    }
    #expect(fixture.kinds == [])
    // What cannot throw says so by an event.
    let quiet: [(String, CacheEvent.Kind, () -> Void)] = [
      ("subscript set", .writeFailed, { cache["k"] = 3 }),
      ("subscript nil", .removalFailed, { cache["k"] = nil }),
      ("subscript get", .readFailed, { _ = cache["k"] }),
      ("setObject", .writeFailed, { cache.setObject(3, forKey: "k") }),
      ("object", .readFailed, { _ = cache.object(forKey: "k") }),
      (
        "expired object", .readFailed,
        { _ = cache.object(forKey: "k", returnExpiredObjectIfPresent: true) }
      ),
      ("allObjects", .readFailed, { _ = cache.allObjects() }),
      ("removeObject", .removalFailed, { cache.removeObject(forKey: "k") }),
      ("removeAllObjects", .removalFailed, { cache.removeAllObjects() }),
      ("removeExpiredObjects", .removalFailed, { cache.removeExpiredObjects() }),
    ]
    for (index, (name, event, verb)) in quiet.enumerated() {
      verb()
      #expect(fixture.kinds.count == index + 1, "\(name)")
      #expect(fixture.kinds.last == event, "\(name)")
      let isClosed = fixture.events.events.last?.error.map(isClosed)
      #expect(isClosed == true, "\(name)")
    }
    // Loads go on, uncached.
    let producer = CountingProducer<Int> { $0 + 10 }
    #expect(try await cache.cached("k") { try await producer() } == 11)
    #expect(try await cache.cached("k") { try await producer() } == 12)
    #expect(fixture.operations == operations)
    #expect(try await fixture.record() != nil)
    #expect(cache.count == 0)
    #expect(cache.isQuiet)
  }

  @Test func `functions, features and caches refuse as their cache does (B365)`() async throws {
    let caches = Caches.inMemory
    let feature = try caches["f"]
    let function = feature.cached("n") { (id: Int) in id }
    let pair = feature.cached("p") { (one: Int, other: Int) in one + other }
    let batch = feature.cachedBatch(key: { "b/\($0)" }) { (ids: [Int]) in
      Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) })
    }
    #expect(try await function(1) == 1)
    try await caches.close()
    let verbs: [(String, () async throws -> Void)] = [
      ("function.refresh", { try await function.refresh(1) }),
      ("function.remove", { try await function.remove(1) }),
      ("function.expire", { try await function.expire(1) }),
      ("pair.refresh", { try await pair.refresh(1, 2) }),
      ("pair.remove", { try await pair.remove(1, 2) }),
      ("pair.expire", { try await pair.expire(1, 2) }),
      ("feature.remove", { try await feature.remove("k") }),
      ("feature.remove(selector)", { try await feature.remove(.all) }),
      ("feature.expire", { try await feature.expire("k") }),
      ("feature.removeAll", { try await feature.removeAll() }),
      ("feature.removeExpired", { try await feature.removeExpired() }),
      ("feature.refresh", { try feature.refresh(.all) }),
    ]
    for (name, verb) in verbs {
      #expect(await isRefused(verb), "\(name)")
    }
    #expect(try await function(1) == 1)
    #expect(try await pair(1, 2) == 3)
    #expect(try await batch([1]) == [1: 1])
    #expect(try await feature.cached(key: "k") { 4 } == 4)
    #expect(function.peek(1) == nil)
  }

  @Test
  func `at its deadline close names what has not ended, and whoever waits learns of it (B364)`()
    async throws
  {
    let fixture = try TierFixture(.suspending)
    let gate = Gate()
    fixture.inject(.delay(gate), on: .write, times: 1)
    let writing = Task { try await fixture.cache.set(9, for: "k") }
    try await gate.waitForArrivals(1)
    // Sooner than the store's own deadline, which would make the write a failed one.
    let closing = await closing(fixture.cache, within: .seconds(0.5))
    await until { fixture.clock.pendingSleeps > 0 }
    try await fixture.clock.advance(by: .milliseconds(500))
    let error = await #expect(throws: CacheError.self) { try await closing.value }
    #expect(error?.code == .timedOut)
    #expect(error?.message.contains("write of") == true)
    gate.open()
    #expect(await isRefused { try await writing.value })
    // A second call has nothing to wait for, and says the same.
    let again = await #expect(throws: CacheError.self) { try await fixture.cache.close() }
    #expect(again?.message == error?.message)
  }

  @Test func `a store that cannot flush or close in time is named (B364)`() async throws {
    let fixture = try TierFixture(.suspending)
    fixture.inject(.fail(EngineError.net), on: .flush)
    await #expect(throws: EngineError.net) { try await fixture.cache.close() }
    #expect(fixture.operations.last == .close)

    let other = try TierFixture(.suspending)
    let gate = Gate()
    other.inject(.delay(gate), on: .close)
    let closing = await closing(other.cache, within: .seconds(1))
    try await gate.waitForArrivals(1)
    await until { other.clock.pendingSleeps > 0 }
    try await other.clock.advance(by: .seconds(1))
    let error = await #expect(throws: CacheError.self) { try await closing.value }
    #expect(error?.message.contains("closing of the store") == true)
    gate.open()
  }
}

/// A store of one record.
private final class RecordStore: CacheStore {
  let name = "record"
  let capabilities: StoreCapabilities = []
  private let record: CacheEntry?

  init(_ record: CacheEntry?) { self.record = record }

  func entry(for key: CacheKey) async throws -> CacheEntry? { record }
  func set(_ entry: CacheEntry, for key: CacheKey) async throws {}
  func remove(_ key: CacheKey) async throws {}
  func removeAll(in namespace: Namespace?) async throws {}
}
