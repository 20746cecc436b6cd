import CacheAside
import CacheAsideTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RecordingStoreTests {
  @Test(arguments: CacheStoreConformance<RecordingStore<FlawedStore>>.Check.allCases)
  func `a recorded store keeps the store contract`(
    check: CacheStoreConformance<RecordingStore<FlawedStore>>.Check
  ) async throws {
    try await CacheStoreConformance {
      RecordingStore(FlawedStore())
    } reopen: {
      RecordingStore(FlawedStore(reopening: $0.base))
    }.run(check)
  }

  @Test func `every operation is noted in order, with its key or namespace`() async throws {
    let store = RecordingStore(FlawedStore())
    let space = Namespace("n")
    let key = CacheKey(stringLiteral: "k").within(space)
    let entry = CacheEntry(payload: [1], codec: .raw, type: 1, created: 0)
    try await store.set(entry, for: key)
    _ = try await store.entry(for: key)
    try await store.set([(key, entry)])
    _ = try await store.entries(for: [key])
    try await store.remove(key, ifUnchanged: entry)
    try await store.remove(key)
    try await store.removeAll(in: space)
    try await store.removeAll(in: nil)
    try await store.removeExpired()
    try await store.scan(space) { _, _ in true }
    try await store.invalidate(StoreInvalidation(.remove, .everything, in: space))
    _ = try await store.usage()
    try await store.flush()
    await store.close()
    #expect(
      store.operations.map(\.description) == [
        "write n:k", "read n:k", "bulkWrite", "bulkRead", "removeIfUnchanged n:k", "remove n:k",
        "removeAll n", "removeAll",
        "removeExpired", "scan n", "invalidate n", "usage", "flush", "close",
      ]
    )
    #expect(store.count(of: .removeAll) == 2)
    #expect(Set(store.operations.map(\.kind)) == Set(StoreOperation.Kind.allCases))
  }

  @Test func `blocking operations are noted as their asynchronous twins`() throws {
    let store = RecordingStore(FlawedStore())
    let key = CacheKey(stringLiteral: "k").within(Namespace("n"))
    let entry = CacheEntry(payload: [1], codec: .raw, type: 1, created: 0)
    try store.setBlocking(entry, for: key)
    _ = try store.entryBlocking(for: key)
    try store.removeBlocking(key, ifUnchanged: entry)
    try store.removeBlocking(key)
    try store.removeAllBlocking(in: nil)
    try store.removeExpiredBlocking()
    try store.scanBlocking(nil) { _, _ in true }
    #expect(
      store.operations.map(\.kind) == [
        .write, .read, .removeIfUnchanged, .remove, .removeAll, .removeExpired, .scan,
      ]
    )
  }
}
