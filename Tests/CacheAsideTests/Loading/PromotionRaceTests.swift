import CacheAsideTesting
import Testing

@testable import CacheAside

/// A read that finds the old record while it is being removed puts it into no faster tier.
@Suite(.timeLimit(.minutes(60))) struct PromotionRaceTests {
  enum Removal: CaseIterable {
    case remove, blocking, assignment, expire, all, allBlocking, ofFeature, expireOfFeature
  }

  @Test(arguments: Removal.allCases)
  func `F4 what is read during a removal is not there afterwards`(removal: Removal) async throws {
    let folder = try TemporaryFolder()
    let files = FaultInjectingFileSystem()
    let store = try DiskStore(directory: folder.path + "/f", files: files)
    let caches = try Caches {
      Feature("f") {
        Memory()
        Store(store)
      }
    }
    let feature = try caches["f"]
    let cache = feature.cache(String.self, Int.self)
    try await cache.set(1, for: "k")
    cache.removeAllFromMemory()
    let reads = EventRecorder<Int>()
    // A removal of everything is done when the ledger has got its name.
    files.before(removal == .all || removal == .allBlocking ? .link : .unlink) { _ in
      if let value = cache["k"] { reads.record(value) }
    }
    switch removal {
    case .remove: try await cache.remove("k")
    case .blocking: try cache.removeBlocking("k")
    case .assignment: cache["k"] = nil
    case .expire: try await cache.expire("k")
    case .all: try await cache.removeAll()
    case .allBlocking: try cache.removeAllBlocking()
    case .ofFeature: try await feature.remove("k")
    case .expireOfFeature: try await feature.expire("k")
    }
    files.heal()
    #expect(reads.events.contains(1), "the read met the record before it was gone")
    #expect(cache.peek("k") == nil)
    let value = try await cache.value(for: "k")
    #expect(value == nil)
  }
}
