import CacheAside
import CacheAsideTesting
import Foundation
import Testing

/// Our own stores keep the contract that every store must keep.
@Suite(.timeLimit(.minutes(60)))
struct StoreConformanceTests {
  @Test(arguments: CacheStoreConformance<MemoryCacheStore>.Check.allCases)
  func `B039 B040 B041 B042 B043 B046 the memory store keeps the contract`(
    check: CacheStoreConformance<MemoryCacheStore>.Check
  ) async throws {
    try await CacheStoreConformance { try MemoryCacheStore(limits: .unlimited) }.run(check)
  }

  @Test(arguments: CacheStoreConformance<DiskStore>.Check.allCases)
  func `B039 B040 B041 B042 B043 B046 the disk store keeps the contract`(
    check: CacheStoreConformance<DiskStore>.Check
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("CacheAside-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await CacheStoreConformance {
      try DiskStore(directory: folder.appendingPathComponent("store"), limit: .unlimited)
    } reopen: { store in
      try DiskStore(directory: store.url, limit: .unlimited)
    }.run(check)
    let outside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(outside.allSatisfy { $0 == "store" }, "files outside the store's folder: \(outside)")
  }
}
