import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A blocking store in memory that notes on which threads it works.
private final class ThreadNotingStore: BlockingCacheStore {
  let name = "noting"
  let capabilities: StoreCapabilities = [.scan, .compareAndDelete]
  private let entries = Lock<[CacheKey: CacheEntry]>([:])
  private let threads = BlockingThreads(label: "noting", width: 2)
  /// Whether the current work was handed to a thread of the store.
  ///
  /// Thread identities do not tell: the system may run tasks and store work on one thread, one after the other.
  @TaskLocal private static var isHandedOver = false

  struct Call: Sendable {
    let thread: UInt
    let isHandedOver: Bool
  }

  /// All calls that work.
  let calls = EventRecorder<Call>()

  private func note() {
    calls.record(Call(thread: CurrentThread.identifier, isHandedOver: Self.isHandedOver))
  }

  func onStoreThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await threads.run(.system) { try Self.$isHandedOver.withValue(true, operation: work) }
  }

  func entryBlocking(for key: CacheKey) throws -> CacheEntry? {
    note()
    return entries.withLock { $0[key] }
  }

  func setBlocking(_ entry: CacheEntry, for key: CacheKey) throws {
    note()
    entries.withLock { $0[key] = entry }
  }

  func removeBlocking(_ key: CacheKey) throws {
    note()
    entries.withLock { $0[key] = nil }
  }

  func removeAllBlocking(in namespace: Namespace?) throws {
    note()
    entries.withLock { $0 = [:] }
  }

  func removeBlocking(_ key: CacheKey, ifUnchanged entry: CacheEntry) throws -> Bool {
    note()
    entries.withLock { $0[key] = nil }
    return true
  }

  func removeExpiredBlocking(includingKept: Bool) throws -> Int {
    note()
    return 0
  }

  func scanBlocking(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) throws {
    note()
    for (key, entry) in entries.withLock({ $0 }) { _ = visit(key, entry) }
  }

  func entry(for key: CacheKey) async throws -> CacheEntry? {
    try await onStoreThread { [self] in try entryBlocking(for: key) }
  }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await onStoreThread { [self] in try setBlocking(entry, for: key) }
  }

  func remove(_ key: CacheKey) async throws {
    try await onStoreThread { [self] in try removeBlocking(key) }
  }

  func removeAll(in namespace: Namespace?) async throws {
    try await onStoreThread { [self] in try removeAllBlocking(in: namespace) }
  }

  func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async throws -> Bool {
    try await onStoreThread { [self] in try removeBlocking(key, ifUnchanged: entry) }
  }

  func removeExpired(includingKept: Bool) async throws -> Int {
    try await onStoreThread { [self] in try removeExpiredBlocking(includingKept: includingKept) }
  }
}

@Suite(.timeLimit(.minutes(60)))
struct BlockingWorkTests {
  @Test func `S6 asynchronous calls do the store's work on the store's threads`() async throws {
    let store = ThreadNotingStore()
    let cache = try Cache<String, Int>(name: "feature", expiry: .hours(1)) { Store(store) }
    _ = try await cache.cached("k") { 1 }
    _ = try await cache.value(for: "k")
    _ = try await cache.entry(for: "k")
    try await cache.set(2, for: "k")
    try await cache.refresh("k") { 3 }
    try await cache.expire("k")
    try await cache.set(2, for: "k", expiry: .seconds(0))
    try await store.set(
      CacheEntry(payload: [1], codec: .json, type: cache.type, created: 0),
      for: CacheKey(text: "k", namespace: Namespace("feature"))
    )
    #expect(try await cache.value(for: "k") == nil)
    try await cache.remove("k")
    try await cache.removeAll()
    try await cache.removeExpired()
    #expect(store.calls.events.count >= 14)
    #expect(store.calls.events.allSatisfy { $0.isHandedOver })
  }

  @Test func `S6 synchronous calls do it on the caller's thread`() async throws {
    let store = ThreadNotingStore()
    let cache = try Cache<String, Int>(name: "feature") { Store(store) }
    let thread = await OwnThread {
      cache["k"] = 1
      _ = cache["k"]
      cache["k"] = nil
      try? cache.removeAllBlocking()
      cache.removeExpiredBlocking()
      return CurrentThread.identifier
    }.value
    #expect(store.calls.events.count == 5)
    #expect(store.calls.events.allSatisfy { $0.thread == thread && !$0.isHandedOver })
  }
}
