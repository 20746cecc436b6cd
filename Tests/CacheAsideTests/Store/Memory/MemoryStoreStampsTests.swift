import Testing

@testable import CacheAside

@Suite struct MemoryStoreStampsTests {
  let stamps = InvalidationStamps()
  let store: MemoryStore<Int, Int>

  init() throws {
    store = try MemoryStore(limits: .count(10_000), exact: true, stamps: stamps)
  }

  @discardableResult
  private func insert(_ key: Int, _ tags: [CacheAside.Tag], begun: UInt64? = nil) -> Bool {
    store.insert(
      key,
      for: key,
      hash: store.hash(of: key),
      storedAt: store.clockNow(),
      deadline: .max,
      cost: 1,
      terms: tags.isEmpty ? nil : EntryTerms(tags: tags, begun: begun ?? stamps.now)
    )
  }

  private func invalidate(_ tag: CacheAside.Tag) {
    stamps.stamp(tags: [tag])
    store.invalidateSelectable()
  }

  private var isAttentive: Bool {
    store.withTable(0) { $0.core.table.flags & PositionTable.staleFlag != 0 }
  }

  @Test func `nothing shows an entry whose tag was invalidated`() {
    insert(1, ["a"])
    insert(2, ["b"])
    insert(3, [])
    invalidate("a")
    #expect(store.needsSweep)
    #expect(store.peek(1) == nil)
    #expect(store.entry(for: 1)?.value == nil)
    #expect(store.keys().sorted() == [2, 3])
    var seen: [Int] = []
    store.forEach { key, _ in
      seen.append(key)
      return true
    }
    #expect(seen.sorted() == [2, 3])
    #expect(store.value(for: 1) == nil)
    #expect(store.counters.misses == 1)
    #expect(store.counters.invalidated == 1)
    #expect(store.count == 2)
    #expect(store.value(for: 2) == 2)
    #expect(store.value(for: 3) == 3)
    insert(1, ["a"])
    #expect(store.value(for: 1) == 1)
  }

  @Test func `removal and expiry treat an invalidated entry as absent`() {
    insert(1, ["a"])
    insert(2, ["a"])
    invalidate("a")
    #expect(store.remove(1) == nil)
    let hash = store.hash(of: 2)
    #expect(!store.expire(2, hash: hash, at: 0, staleIfError: 1, keepExpired: .max))
    #expect(store.counters.invalidated == 2)
    #expect(store.count == 0)
  }

  @Test func `what began before an invalidation is refused and removes nothing newer`() {
    let begun = stamps.now
    invalidate("a")
    #expect(!insert(1, ["a"], begun: begun))
    #expect(store.count == 0)
    insert(1, ["a"])
    #expect(!insert(1, ["a"], begun: begun))
    #expect(store.value(for: 1) == 1)
    invalidate("a")
    #expect(!insert(1, ["a"], begun: begun))
    #expect(store.count == 0)
    #expect(store.counters.invalidated == 1)
    #expect(store.counters.rejected == 0)
  }

  @Test func `a newer value over an invalidated one is no replacement`() {
    insert(1, ["a"])
    invalidate("a")
    insert(1, ["a"])
    #expect(store.counters.invalidated == 1)
    #expect(store.counters.replaced == 0)
  }

  @Test func `a shard without entries of the kind is not slowed down`() {
    insert(1, [])
    invalidate("a")
    #expect(!isAttentive)
    #expect(!store.needsSweep)
    insert(2, ["a"])
    #expect(!isAttentive)
  }

  @Test func `a sweep removes what is out and makes reads fast again`() {
    for key in 0..<1000 { insert(key, key % 2 == 0 ? ["a"] : ["b"]) }
    invalidate("a")
    var removed = 0
    var sweeps = 0
    while store.needsSweep {
      removed += store.sweep(budget: 100)
      sweeps += 1
      guard sweeps < 50 else { break }
      // Growth and removals in between change no position.
      store.remove(2 * sweeps + 1)
      for key in 0..<100 { insert(10_000 + 100 * sweeps + key, []) }
    }
    #expect(sweeps < 50)
    #expect(removed <= 500)
    #expect(store.counters.invalidated == 500)
    #expect(!isAttentive)
    for key in stride(from: 0, to: 1000, by: 2) { #expect(store.peek(key) == nil) }
    #expect(store.peek(999) == 999)
  }

  @Test func `removing the expired cleans up as well`() {
    for key in 0..<3000 { insert(key, ["a"]) }
    invalidate("a")
    #expect(store.removeExpired() == 0)
    #expect(store.count == 0)
    #expect(!store.needsSweep)
  }

  @Test func `a pass that began before a newer invalidation starts anew`() {
    for key in 0..<100 { insert(key, key < 50 ? ["b"] : ["a"]) }
    invalidate("a")
    store.sweep(budget: 60)
    invalidate("b")
    store.sweep(budget: 41)
    #expect(isAttentive)
    store.sweep(budget: 100)
    #expect(!isAttentive)
    #expect(store.count == 0)
  }
}
