import Testing

@testable import CacheAside

@Suite struct MemoryStoreLimitChangeTests {
  @Test(arguments: EvictionPolicy.allCases)
  func `lower limits evict at once and higher ones make room`(policy: EvictionPolicy) throws {
    let store = try MemoryStore<Int, Int>(limits: .count(2_000), policy: policy)
    for key in 0..<4_000 { store.insert(key, for: key) }
    try store.setLimits(.count(300))
    #expect(store.limits == .count(300))
    #expect(store.count == 300)
    for key in 0..<4_000 {
      store.insert(key, for: key)
      if key % 500 == 0 { #expect(store.count <= 300) }
    }
    try store.setLimits(.count(6_000))
    for key in 0..<30_000 { store.insert(key, for: key) }
    #expect(store.count == 6_000)
    try store.setLimits(.count(0))
    #expect(store.count == 0)
    #expect(!store.insert(1, for: 1))
    try store.setLimits(.count(100))
    for key in 0..<1_000 { store.insert(key, for: key) }
    #expect(store.count == 100)
  }

  @Test func `cost limits and those of one entry change`() throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(1_000), exact: true)
    for key in 0..<100 { store.insert(key, for: key, cost: 10) }
    try store.setLimits(MemoryLimits(costLimit: 95, entryCostLimit: 20))
    #expect(store.totalCost == 90)
    #expect(!store.insert(1, for: 1_000, cost: 21))
    #expect(store.insert(1, for: 1_000, cost: 20))
    #expect(store.totalCost <= 95)
  }

  @Test(
    arguments: [
      .unlimited, .cost(5), MemoryLimits(countLimit: 5, costLimit: 5), .count(-1),
    ] as [MemoryLimits]
  )
  func `limits of other kinds and negative ones are refused`(limits: MemoryLimits) throws {
    let store = try MemoryStore<Int, Int>(limits: .count(10))
    store.insert(1, for: 1)
    #expect { try store.setLimits(limits) } throws: { error in
      (error as? CacheError)?.code == .invalidConfiguration
    }
    #expect(store.limits == .count(10))
    #expect(store.value(for: 1) == 1)
  }
}
