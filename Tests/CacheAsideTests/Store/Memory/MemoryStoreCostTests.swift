import Testing

@testable import CacheAside

/// Costs are kept only where they differ.
@Suite struct MemoryStoreCostTests {
  @Test func `entries that cost the same keep no cost each`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(1_000), exact: true)
    for key in 0..<1_500 { store.insert(key, for: key, cost: 8) }
    #expect(store.totalCost == 8_000)
    #expect(store.withTable(0) { $0.core.table.keepsCosts } == false)
  }

  @Test func `a cost of its own is kept beside the common one`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited)
    for key in 0..<40 { store.insert(key, for: key, cost: 8) }
    store.insert(7, for: 7, cost: 3)
    for key in 40..<200 { store.insert(key, for: key, cost: 8) }
    #expect(store.entry(for: 7)?.cost == 3)
    #expect(store.entry(for: 8)?.cost == 8)
    #expect(store.entry(for: 199)?.cost == 8)
    #expect(store.totalCost == 199 * 8 + 3)
  }

  @Test func `the only entry may change what all cost`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited, exact: true)
    store.insert(1, for: 1, cost: 8)
    store.insert(1, for: 1, cost: 5)
    store.insert(2, for: 2, cost: 5)
    #expect(store.totalCost == 10)
    #expect(store.withTable(0) { $0.core.table.keepsCosts } == false)
    store.removeAll()
    store.insert(1, for: 1, cost: 2)
    #expect(store.totalCost == 2)
    #expect(store.entry(for: 1)?.cost == 2)
  }

  @Test func `large arrays keep what is in them when they grow`() throws {
    let store = try MemoryStore<Int, Int>(limits: .unlimited, exact: true)
    for key in 0..<40_000 { store.insert(key, for: key, cost: key % 3) }
    for key in stride(from: 0, to: 40_000, by: 97) {
      #expect(store.peek(key) == key)
      #expect(store.entry(for: key)?.cost == key % 3)
    }
    store.removeAll()
    #expect(store.count == 0)
    #expect(store.totalCost == 0)
  }
}
