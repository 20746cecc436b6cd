import Testing

@testable import CacheAside

@Suite struct MemoryStorePinningTests {
  private static let pinned = EntryTerms(isPinned: true)

  private func store(
    _ limits: MemoryLimits,
    _ policy: EvictionPolicy
  ) throws -> MemoryStore<Int, Int> {
    try MemoryStore(limits: limits, policy: policy, exact: true)
  }

  @discardableResult
  private func insert(
    _ key: Int,
    _ store: MemoryStore<Int, Int>,
    pinned: Bool,
    cost: Int = 1
  ) -> Bool {
    store.insert(
      key,
      for: key,
      hash: store.hash(of: key),
      storedAt: store.clockNow(),
      deadline: .max,
      cost: cost,
      terms: pinned ? Self.pinned : nil
    )
  }

  private func check(_ store: MemoryStore<Int, Int>) {
    store.withTable(0) { table in
      var (pinned, cost) = (0, 0)
      table.forEachPosition { position in
        guard table.core.table.isPinned(position) else { return }
        pinned += 1
        cost += table.core.cost(position)
      }
      let carried = (table.core.table.carried.pinned, table.core.table.carried.pinnedCost)
      #expect(carried == (pinned, Int64(cost)))
      #expect(table.core.queued == table.core.count - pinned)
      let queuedCost = table.core.queues.window.cost + table.core.queues.main.cost
      #expect(queuedCost == Int64(table.core.totalCost - cost))
    }
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `pinned entries are never evicted and count for the limit`(policy: EvictionPolicy) throws {
    let store = try store(.count(20), policy)
    for key in 0..<10 { insert(key, store, pinned: true) }
    for key in 10..<500 {
      insert(key, store, pinned: false)
      _ = store.value(for: key % 30)
      #expect(store.count <= 20)
    }
    for key in 0..<10 { #expect(store.peek(key) == key) }
    check(store)
    store.trim(toFraction: 0)
    #expect(store.keys().sorted() == Array(0..<10))
    store.remove(3)
    #expect(store.peek(3) == nil)
    check(store)
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `when all is pinned a new entry is refused`(policy: EvictionPolicy) throws {
    let store = try store(.count(5), policy)
    for key in 0..<5 { #expect(insert(key, store, pinned: true)) }
    #expect(!insert(5, store, pinned: false))
    #expect(!insert(6, store, pinned: true))
    #expect(store.counters.rejected == 2)
    #expect(insert(2, store, pinned: true))
    #expect(store.count == 5)
    #expect(insert(2, store, pinned: false))
    #expect(insert(7, store, pinned: false))
    #expect(store.peek(2) == nil)
    check(store)
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `pinned cost leaves the rest of the limit to others`(policy: EvictionPolicy) throws {
    let store = try store(.cost(100), policy)
    insert(0, store, pinned: true, cost: 60)
    for key in 1..<200 {
      #expect(insert(key, store, pinned: false, cost: key % 40 + 1))
      #expect(store.totalCost <= 100)
    }
    #expect(!insert(500, store, pinned: false, cost: 41))
    #expect(store.peek(0) == 0)
    // Its own part is free for its next version.
    #expect(insert(0, store, pinned: true, cost: 100))
    #expect(store.keys() == [0])
    check(store)
  }

  @Test func `an unlimited store trims around what is pinned`() throws {
    let store = try store(.unlimited, .lru)
    for key in 0..<50 { insert(key, store, pinned: key % 5 == 0) }
    store.trim(toFraction: 0)
    #expect(store.keys().sorted() == Array(stride(from: 0, to: 50, by: 5)))
  }
}
