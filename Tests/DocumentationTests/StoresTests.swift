import CacheAside
import CacheAsideTesting
import Synchronization
import Testing

// snippet: Write a store of your own
final class DictionaryStore: CacheStore {
  let name = "dictionary"
  let capabilities: StoreCapabilities = [.scan]
  private let time = Mutex(TimeSource.system)
  private let entries = Mutex<[CacheKey: CacheEntry]>([:])

  func attach(_ context: StoreContext) { time.withLock { $0 = context.time } }

  func entry(for key: CacheKey) async throws -> CacheEntry? { entries.withLock { $0[key] } }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    entries.withLock { $0[key] = entry }
  }

  func remove(_ key: CacheKey) async throws { entries.withLock { $0[key] = nil } }

  func removeAll(in namespace: Namespace?) async throws {
    entries.withLock { $0 = $0.filter { !covers(namespace, $0.key) } }
  }

  func removeExpired(includingKept: Bool) async throws -> Int {
    let now = time.withLock { $0.wall }
    return entries.withLock { entries in
      let before = entries.count
      entries = entries.filter { now < (includingKept ? $0.value.freshUntil : $0.value.keptUntil) }
      return before - entries.count
    }
  }

  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    for (key, entry) in entries.withLock({ $0 }) where covers(namespace, key) {
      guard visit(key, entry) else { return }
    }
  }

  private func covers(_ namespace: Namespace?, _ key: CacheKey) -> Bool {
    namespace?.covers(key.namespace) ?? true
  }
}
// end

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct StoresTests {
  @Test func `limit the memory`() throws {
    // snippet: Limit the memory
    let caches = try Caches {
      Feature("users") { Memory(.count(10_000)) }
      Feature("images") { Memory(MemoryLimits(costLimit: 64_000_000, expectedEntryCost: 100_000)) }
      Feature("constants") { Memory(.unlimited) }
    }
    // end
    #expect(caches.featureNames.count == 4)
  }

  @Test func `keep values on disk`() async throws {
    try await withTemporaryFolder { folder in
      // snippet: Keep values on disk
      let caches = try Caches {
        Feature("profiles", expiry: .days(7)) {
          Memory(.count(1_000))
          Disk(limit: .megabytes(50), location: .directory(folder))
        }
      }
      let fetchProfile = try caches["profiles"].cached("profile") { (id: Int) in
        try await api.profile(id)
      }
      let profile = try await fetchProfile(42)
      // end
      #expect(profile.name == "Ada")
      let usage = try DiskStore(directory: folder + "/profiles").usageBlocking()
      #expect(usage.entries == 1)
    }
  }

  @Test func `limit the disk`() {
    // snippet: Limit the disk
    let small = DiskLimit.megabytes(20)
    let many = DiskLimit(bytes: 200_000_000, entries: 50_000, age: .seconds(30 * 86_400))
    // end
    #expect(small.bytes == 20_000_000)
    #expect(many.entries == 50_000)
  }

  @Test func `survive a crash, decide what a failure means`() async throws {
    try await withTemporaryFolder { folder in
      let caches = try Caches {
        Feature("safe") {
          Memory()
          // snippet: Survive a crash
          Disk(location: .directory(folder), durability: .power)
          // end
        }
        Feature("strict") {
          // snippet: Decide what a failure means
          Disk(location: .directory(folder), faultPolicy: .fail)
          // end
        }
      }
      for name in ["safe", "strict"] {
        let feature = try caches[name]
        #expect(try await feature.cached(key: "a") { 1 } == 1)
        #expect(try await feature.cached(key: "a", mode: .cacheOnly) { 2 } == 1)
      }
    }
  }

  @Test func `keep values for good`() async throws {
    try await withTemporaryFolder { folder in
      // snippet: Keep values for good
      let settings = try Cache<String, [String: Int]>(name: "settings") {
        Memory()
        Disk(location: .directory(folder, isPermanent: true))
      }
      try await settings.set(["volume": 11], for: "sound")
      // end
      settings.removeAllFromMemory()
      #expect(try await settings.value(for: "sound") == ["volume": 11])
    }
  }

  @Test func `encode values yourself`() async throws {
    try await withTemporaryFolder { folder in
      // snippet: Encode values yourself
      let number = Codec<UInt64>(
        identifier: CodecIdentifier(rawValue: 300),
        encode: { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } },
        decode: { bytes in
          guard bytes.count == 8 else { throw CacheError(.unsupportedType, "a number has 8 bytes") }
          return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
      )
      let numbers = try Cache<String, UInt64>(name: "numbers", codec: number) {
        Memory()
        Disk(location: .directory(folder))
      }
      try await numbers.set(42, for: "answer")
      // end
      numbers.removeAllFromMemory()
      #expect(try await numbers.value(for: "answer") == 42)
    }
  }

  @Test func `a store that does not answer`() async throws {
    let remote = DictionaryStore()
    // snippet: A store that does not answer
    let caches = try Caches {
      Feature("search") {
        Memory()
        Store(remote, readDeadline: .seconds(0.1), writeDeadline: .unlimited)
      }
    }
    // end
    #expect(try await caches["search"].cached(key: "a") { 1 } == 1)
    #expect(remote.capabilities == .scan)
  }

  @Test func `write a store of your own`() async throws {
    // snippet: Write a store of your own
    struct Records: StoreComponent {
      func apply(to plan: inout StoresPlan) { plan.add(DictionaryStore()) }
    }

    let caches = try Caches {
      Feature("settings") {
        Memory()
        Records()
      }
      Feature("sessions") { Store(DictionaryStore(), lifetimeCap: .hours(1)) }
    }
    // end
    for name in ["settings", "sessions"] {
      let feature = try caches[name]
      #expect(try await feature.cached(key: "a") { 1 } == 1)
      feature.cache(CacheKey.self, Int.self).removeAllFromMemory()
      #expect(try await feature.cached(key: "a", mode: .cacheOnly) { 2 } == 1)
      try await feature.removeAll()
      await #expect(throws: CacheError.self) {
        try await feature.cached(key: "a", mode: .cacheOnly) { 2 }
      }
    }
  }

  // snippet: Prove a store
  @Test(arguments: CacheStoreConformance<DictionaryStore>.Check.allCases)
  func `keeps the store contract`(
    check: CacheStoreConformance<DictionaryStore>.Check
  ) async throws {
    try await CacheStoreConformance { DictionaryStore() }.run(check)
  }
  // end
}
