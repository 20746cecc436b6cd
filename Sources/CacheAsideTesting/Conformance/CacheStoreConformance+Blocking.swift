// Checks: the two faces of a blocking store are one store.
import CacheAside

extension CacheStoreConformance.Trial {
  private struct Thrown: Error {}

  func blockingAgrees() async throws {
    guard let blocking = store as? any BlockingCacheStore else { return }
    let (one, other) = (entry("one"), entry("other"))
    let key = key("both")

    try blocking.setBlocking(one, for: key)
    try await expectEntry(one, for: key, "written blocking, read asynchronously")
    try await store.set(other, for: key)
    expectEqual(
      try blocking.entryBlocking(for: key),
      other,
      key,
      "written asynchronously, read blocking"
    )
    expect(try !blocking.removeBlocking(key, ifUnchanged: one), "removed a changed entry")
    expect(try blocking.removeBlocking(key, ifUnchanged: other), "left an unchanged entry")
    try await expectEntry(nil, for: key, "after a blocking compare-and-delete")

    try await store.set(one, for: key)
    try blocking.removeBlocking(key)
    try await expectEntry(nil, for: key, "after a blocking removal")
    try blocking.removeBlocking(key)
    try blocking.setBlocking(one, for: key)
    try await store.remove(key)
    expectEqual(try blocking.entryBlocking(for: key), nil, key, "removed asynchronously")

    let elsewhere = self.key("both", in: Namespace("elsewhere"))
    try blocking.setBlocking(one, for: key)
    try blocking.setBlocking(other, for: elsewhere)
    try blocking.removeAllBlocking(in: Self.home)
    try await expectEntry(nil, for: key, "after a blocking removeAll")
    try await expectEntry(other, for: elsewhere, "beside a blocking removeAll")
    try blocking.removeAllBlocking(in: nil)
    try await expectEntry(nil, for: elsewhere, "after a blocking removeAll of everything")
    try await blockingMaintenance(blocking)
  }

  private func blockingMaintenance(_ blocking: any BlockingCacheStore) async throws {
    let (short, long) = (entry([1], keptFor: 10), entry([2]))
    try blocking.setBlocking(short, for: key("short"))
    try blocking.setBlocking(long, for: key("long"))
    try await clock.advance(by: .seconds(11))
    let count = try blocking.removeExpiredBlocking()
    expect((0...1).contains(count), "removed \(count) entries when one was due")
    if !kit.expiresByItself { try await expectEntry(nil, for: key("short"), "when due") }
    try await expectEntry(long, for: key("long"), "kept for ever")

    guard store.capabilities.contains(.scan) else { return }
    var found: [CacheKey] = []
    try blocking.scanBlocking(Self.home) { key, _ in
      if key != self.key("short") { found.append(key) }
      return true
    }
    expect(found == [key("long")], "a blocking scan lists \(found.map(name(of:)))")
  }

  func storeThread() async throws {
    guard let blocking = store as? any BlockingCacheStore else { return }
    let written = entry("from a store thread")
    let key = key("thread")
    let answer = try await blocking.onStoreThread {
      try blocking.setBlocking(written, for: key)
      return try blocking.entryBlocking(for: key)
    }
    expectEqual(answer, written, key, "written and read on a store thread")
    try await expectEntry(written, for: key, "written on a store thread")
    do {
      try await blocking.onStoreThread { throw Thrown() }
      expect(false, "onStoreThread swallows what its work throws")
    } catch is Thrown {
      // As it should be.
    }
  }
}
