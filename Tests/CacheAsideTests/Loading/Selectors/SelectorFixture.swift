import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A store that suspends, lists its entries, and leaves invalidation to the cache.
final class ScanningStore: CacheStore {
  let name = "scanning"
  let capabilities: StoreCapabilities = [.scan]
  private let entries = Lock<[CacheKey: CacheEntry]>([:])

  func entry(for key: CacheKey) async throws -> CacheEntry? { entries.withLock { $0[key] } }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    entries.withLock { $0[key] = entry }
  }

  func remove(_ key: CacheKey) async throws { entries.withLock { $0[key] = nil } }

  func removeAll(in namespace: Namespace?) async throws {
    entries.withLock { entries in
      guard let namespace else { return entries = [:] }
      entries = entries.filter { !namespace.covers($0.key.namespace) }
    }
  }

  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    for (key, entry) in entries.withLock({ $0 }) where namespace?.covers(key.namespace) ?? true {
      if !visit(key, entry) { return }
    }
  }
}

/// A feature with some stores, on one clock.
final class SelectorFixture: Sendable {
  enum Setup: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, disk, memoryAndDisk
    /// A store that suspends and is listed, alone.
    case suspending
    /// A store that invalidates by itself, alone.
    case native
    case memoryAndTwoStores

    var testDescription: String { rawValue }
    var hasMemory: Bool { rawValue.hasPrefix("memory") }
    var hasStore: Bool { self != .memory }
  }

  static let north: CacheScope = ["tenant": "north"]

  let setup: Setup
  let clock = ManualClock()
  let native: MemoryCacheStore
  private let scanning = ScanningStore()
  private let folder: TemporaryFolder

  init(_ setup: Setup) throws {
    self.setup = setup
    native = try MemoryCacheStore(limits: .unlimited, time: clock.timeSource)
    folder = try TemporaryFolder()
  }

  /// Caches on the fixture's place, with memory of their own.
  func open(
    _ policy: CachePolicy = CachePolicy(expiry: .seconds(100), staleIfError: .seconds(20))
  ) throws -> Caches {
    let disk = try DiskStore(
      directory: folder.path + "/f",
      limit: .unlimited,
      time: clock.timeSource
    )
    return try Caches(time: clock.timeSource) {
      Feature("f", policy: policy) {
        if setup.hasMemory { Memory(.count(1_000), exact: true) }
        if setup == .disk || setup == .memoryAndDisk { Store(disk) }
        if setup == .native || setup == .memoryAndTwoStores { Store(native) }
        if setup == .suspending || setup == .memoryAndTwoStores { Store(scanning) }
      }
    }
  }
}

extension Cache<CacheKey, Int> {
  /// Loads a value with tags of its producer's.
  func load(
    _ key: CacheKey,
    _ value: Int,
    _ tags: CacheAside.Tag...
  ) async throws {
    _ = try await outcome(key) { Produced(value, tags: tags) }
  }

  /// Starts a load with tags of its producer's.
  func start(
    _ key: CacheKey,
    _ producer: GatedProducer<Int>,
    _ tags: CacheAside.Tag...
  ) -> Task<Int, any Error> {
    Task { try await outcome(key) { Produced(try await producer(), tags: tags) }.value }
  }

  /// What a failing load comes to.
  func failing(_ key: CacheKey) async throws -> Int {
    try await cached(key) { throw EngineError.boom }
  }
}
