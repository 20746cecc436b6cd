import Testing

@testable import CacheAside

@Suite struct MemoryStoreLimitTests {
  @Test func `B076 S5 credits the old cost when an entry grows`() throws {
    let store = try MemoryStore<String, Int>(limits: .cost(10))
    store.insert(1, for: "a", cost: 3)
    store.insert(1, for: "b", cost: 3)
    #expect(store.insert(2, for: "b", cost: 7))
    #expect(store.peek("a") == 1)
    #expect(store.peek("b") == 2)
    #expect(store.totalCost == 10)
    #expect(store.counters.evicted == 0)
  }

  @Test func `an entry that grows over the limit stays and others leave`() throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(10))
    for key in 0..<5 { store.insert(key, for: key, cost: 2) }
    #expect(store.insert(9, for: 2, cost: 9))
    #expect(store.keys() == [2])
    #expect(store.totalCost == 9)
    #expect(store.counters.evicted == 4)
    #expect(store.counters.replaced == 1)
  }

  @Test func `a count limit that is never reached takes no memory`() throws {
    for count in [1 << 40, Int.max] {
      let limits = MemoryLimits(countLimit: count, costLimit: 10)
      let store = try MemoryStore<Int, Int>(limits: limits)
      for key in 0..<2_000 { store.insert(key, for: key) }
      #expect(store.count == 10)
      let ghosts = store.withTable(0) { $0.core.queues.ghosts.capacity }
      #expect(ghosts < 1_000)
    }
  }

  @Test func `B077 holds a cost limit`() throws {
    let store = try MemoryStore<Int, [UInt8]>(limits: .cost(100))
    for key in 0..<50 {
      let value = [UInt8](repeating: 0, count: 20)
      store.insert(value, for: key, cost: value.count)
      #expect(store.totalCost <= 100)
    }
    #expect(store.count <= 5)
    // Without a cost, an entry costs one and not nothing.
    let other = try MemoryStore<Int, [UInt8]>(limits: .cost(100))
    for key in 0..<300 { other.insert([], for: key) }
    #expect(other.totalCost == 100)
    #expect(other.count == 100)
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `B080 S5 a limit of zero stores nothing`(policy: EvictionPolicy) throws {
    for limits in [MemoryLimits.count(0), .cost(0)] {
      let store = try MemoryStore<String, Int>(limits: limits, policy: policy)
      #expect(!store.insert(1, for: "k"))
      #expect(store.value(for: "k") == nil)
      #expect(store.count == 0)
      #expect(store.counters.rejected == 1)
    }
  }

  @Test func `B083 S5 refuses what is too large without evicting`() throws {
    let store = try MemoryStore<String, Int>(limits: .cost(100))
    for index in 0..<10 { store.insert(index, for: "k\(index)", cost: 10) }
    #expect(!store.insert(1, for: "big", cost: 101))
    #expect(store.count == 10)
    #expect(store.counters.rejected == 1)
    #expect(store.counters.evicted == 0)
    #expect(store.insert(1, for: "exact", cost: 100))
    #expect(store.keys() == ["exact"])
    #expect(store.counters.evicted == 10)
  }

  @Test func `S5 a refused value removes its previous version`() throws {
    let store = try MemoryStore<String, Int>(
      limits: MemoryLimits(costLimit: 100, entryCostLimit: 20)
    )
    store.insert(1, for: "k", cost: 5)
    #expect(!store.insert(2, for: "k", cost: 21))
    #expect(store.count == 0)
    #expect(store.totalCost == 0)
  }

  @Test func `B084 finds equal keys that are built afresh`() throws {
    let store = try MemoryStore<String, Int>(limits: .count(100))
    for index in 0..<10_000 { store.insert(index, for: "key" + String(index % 10)) }
    for index in 0..<10 { #expect(store.value(for: "key" + String(index)) == 9_990 + index) }
    #expect(store.counters.hits == 10)
    #expect(store.count == 10)
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `holds both limits when both are set`(policy: EvictionPolicy) throws {
    let store = try MemoryStore<Int, Int>(
      limits: MemoryLimits(countLimit: 50, costLimit: 1000),
      policy: policy
    )
    var random = SplitMix(state: 1)
    for key in 0..<5_000 {
      let cost = key < 2_500 ? 1 : Int.random(in: 0..<200, using: &random)
      store.insert(key, for: Int.random(in: 0..<200, using: &random), cost: cost)
      _ = store.value(for: Int.random(in: 0..<200, using: &random))
      #expect(store.count <= 50)
      #expect(store.totalCost <= 1000)
    }
    #expect(store.count > 2)
  }

  @Test func `evicts in the order of the simple policies`() throws {
    let fifo = try MemoryStore<Int, Int>(limits: .count(3), policy: .fifo)
    let lru = try MemoryStore<Int, Int>(limits: .count(3), policy: .lru)
    for store in [fifo, lru] {
      for key in 1...3 { store.insert(key, for: key) }
      #expect(store.value(for: 1) == 1)
      store.insert(4, for: 4)
    }
    #expect(fifo.keys().sorted() == [2, 3, 4])
    #expect(lru.keys().sorted() == [1, 3, 4])
    // Overwriting is a use for one, and moves nothing for the other.
    lru.insert(30, for: 3)
    fifo.insert(20, for: 2)
    for store in [fifo, lru] { store.insert(5, for: 5) }
    #expect(fifo.keys().sorted() == [3, 4, 5])
    #expect(lru.keys().sorted() == [3, 4, 5])
  }

  @Test func `S5 a sharded store fills to within three per cent of its limit`() throws {
    let store = try MemoryStore<Int, Int>(limits: .count(10_000), time: HandClock().source)
    for key in 0..<10_000 { store.insert(key, for: key) }
    #expect(store.count > 9_700)
    #expect(store.count <= 10_000)
    let exact = try MemoryStore<Int, Int>(limits: .count(10_000), exact: true)
    for key in 0..<10_000 { exact.insert(key, for: key) }
    #expect(exact.count == 10_000)
  }

  @Test func `trims to a part of what is there`() throws {
    for limits in [MemoryLimits.unlimited, .count(4096), .cost(4096)] {
      let store = try MemoryStore<Int, Int>(limits: limits)
      for key in 0..<3000 { store.insert(key, for: key) }
      let before = store.count
      let removed = store.trim(toFraction: 0.5)
      #expect(store.count == before - removed)
      #expect(store.count <= before / 2)
      #expect(store.count >= before / 2 - store.shardCount)
      #expect(store.keys().allSatisfy { store.value(for: $0) == $0 })
      store.trim(toFraction: 0)
      #expect(store.count == 0)
      #expect(store.totalCost == 0)
    }
  }
}
