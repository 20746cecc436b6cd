import Testing

@testable import CacheAside

/// What expiry and removal leave behind in the policy: no ghosts, but what is known of the keys.
@Suite struct EvictionExpiryTests {
  private let clock = HandClock()

  private func store(_ count: Int) throws -> MemoryStore<Int, Int> {
    try MemoryStore(limits: .count(count), exact: true, time: clock.source)
  }

  private func frequency(_ key: Int, in store: MemoryStore<Int, Int>) -> Int {
    let hash = FoldedHash.spread(UInt64(UInt32(truncatingIfNeeded: store.hash(of: key))))
    return store.withTable(0) { $0.core.queues.sketch.frequency(hash) }
  }

  private func ghosts(in store: MemoryStore<Int, Int>) -> Int {
    store.withTable(0) { $0.core.queues.ghosts.count }
  }

  @Test func `an expired entry that a lookup meets is removed and leaves no ghost`() throws {
    let store = try store(100)
    store.insert(1, for: 1, deadline: clock.after(milliseconds: 1_000))
    clock.advance(milliseconds: 2_000)
    #expect(store.value(for: 1) == nil)
    #expect(store.count == 0)
    #expect(ghosts(in: store) == 0)
  }

  @Test func `a miss on an expired key counts, and so do the hits that it had`() throws {
    let store = try store(100)
    for round in 1...3 {
      store.insert(1, for: 1, deadline: clock.after(milliseconds: 1_000))
      #expect(frequency(1, in: store) == 2 * round - 1)
      #expect(store.value(for: 1) == 1)
      clock.advance(milliseconds: 2_000)
      #expect(store.value(for: 1) == nil)
      #expect(frequency(1, in: store) == 2 * round)
    }
  }

  @Test func `storing over an expired entry counts like a miss`() throws {
    let store = try store(100)
    store.insert(1, for: 1, deadline: clock.after(milliseconds: 1_000))
    clock.advance(milliseconds: 2_000)
    store.insert(2, for: 1, deadline: clock.after(milliseconds: 1_000))
    #expect(frequency(1, in: store) == 2)
    #expect(store.counters.expired == 1)
  }

  @Test func `a swept entry and a removed one leave no ghost`() throws {
    let store = try store(100)
    for key in 0..<50 { store.insert(key, for: key, deadline: clock.after(milliseconds: 1_000)) }
    for key in 50..<100 { store.insert(key, for: key) }
    clock.advance(milliseconds: 2_000)
    #expect(store.removeExpired() == 50)
    store.remove(50)
    #expect(store.removeAll(where: { $0 < 60 }) == 9)
    #expect(ghosts(in: store) == 0)
  }

  @Test func `clearing forgets ghosts, frequencies and the window's size`() throws {
    let store = try store(100)
    for key in 0..<1_000 {
      store.insert(key, for: key)
      if key.isMultiple(of: 3) { store.insert(key - 3, for: key - 3) }
    }
    let start = 1.0
    #expect(store.withTable(0) { $0.core.queues.target } > start)
    #expect(ghosts(in: store) > 0)
    store.removeAll()
    #expect(store.withTable(0) { $0.core.queues.target } == start)
    #expect(ghosts(in: store) == 0)
    #expect(frequency(999, in: store) == 0)
  }

  @Test func `keys that expire again and again stay known as popular`() throws {
    let store = try store(60)
    var hits = 0
    for index in 0..<20_000 {
      clock.advance(milliseconds: 10)
      // Thirty popular keys, each asked for every six tenths of a second, in a stream of others.
      let key = index.isMultiple(of: 2) ? index / 2 % 30 : 1_000 + index
      if store.value(for: key) != nil {
        hits += 1
      } else {
        store.insert(key, for: key, deadline: clock.after(milliseconds: 3_000))
      }
    }
    // Four of five requests for them could be hits.
    #expect(hits > 7_500)
  }
}
