import Testing

@testable import CacheAside

@Suite struct MemoryStoreTermsTests {
  let clock = HandClock()

  /// A box that does not keep what is in it.
  private struct Weak {
    weak let terms: EntryTerms?
  }

  private func insert(_ key: Int, _ terms: EntryTerms?, _ store: MemoryStore<Int, Int>) {
    store.insert(
      key,
      for: key,
      hash: store.hash(of: key),
      storedAt: clock.now,
      deadline: .max,
      cost: 1,
      terms: terms
    )
  }

  @Test func `an entry carries the terms it was stored with`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited, time: clock.source)
    let (first, second) = (EntryTerms(loadTime: 1), EntryTerms(validator: "v"))
    insert(1, nil, store)
    #expect(store.entry(for: 1)?.terms == nil)
    // Growth and removal of neighbours leave them where they are.
    for key in 2..<200 { insert(key, key % 2 == 0 ? first : second, store) }
    for key in 50..<100 { store.remove(key) }
    for key in 200..<300 { insert(key, nil, store) }
    for key in 100..<200 {
      #expect(store.entry(for: key)?.terms === (key % 2 == 0 ? first : second))
    }
    for key in 200..<300 { #expect(store.entry(for: key)?.terms == nil) }
    #expect(store.entry(for: 1)?.terms == nil)
    insert(100, second, store)
    insert(101, nil, store)
    #expect(store.entry(for: 100)?.terms === second)
    #expect(store.entry(for: 101)?.terms == nil)
  }

  @Test func `terms cost nothing before the first entry that has some`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(10), exact: true, time: clock.source)
    insert(1, nil, store)
    #expect(store.withTable(0) { $0.core.table.terms.isEmpty })
    insert(2, EntryTerms(), store)
    #expect(store.withTable(0) { !$0.core.table.terms.isEmpty })
    store.removeAll()
    #expect(store.withTable(0) { $0.core.table.terms.isEmpty })
  }

  @Test func `terms are released with their entry, whatever way it leaves`() throws {
    var store: MemoryStore<Int, Int>? = try MemoryStore(limits: .count(40), time: clock.source)
    func held(_ keys: Range<Int>) -> [Weak] {
      keys.map { key in
        let terms = EntryTerms(loadTime: Int64(key))
        if let store { insert(key, terms, store) }
        return Weak(terms: terms)
      }
    }
    let removed = held(0..<10)
    #expect(removed.allSatisfy { $0.terms != nil })
    for key in 0..<10 { store?.remove(key) }
    #expect(removed.allSatisfy { $0.terms == nil })
    let overwritten = held(0..<10)
    let latest = held(0..<10)
    #expect(overwritten.allSatisfy { $0.terms == nil })
    let evicting = held(100..<400)
    #expect(evicting.count { $0.terms != nil } <= 40)
    store?.removeAll()
    #expect((latest + evicting).allSatisfy { $0.terms == nil })
    let last = held(0..<10)
    #expect(last.allSatisfy { $0.terms != nil })
    store = nil
    #expect(last.allSatisfy { $0.terms == nil })
  }
}
