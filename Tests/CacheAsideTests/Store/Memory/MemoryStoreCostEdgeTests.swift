import Testing

@testable import CacheAside

/// Costs at the edges of what a limit can say.
@Suite(.timeLimit(.minutes(60))) struct MemoryStoreCostEdgeTests {
  private static let limits: [MemoryLimits] = [
    .cost(.max), .cost(.max - 1), .cost(1), MemoryLimits(countLimit: 3, costLimit: .max),
    MemoryLimits(countLimit: .max, costLimit: .max), .count(5),
    MemoryLimits(countLimit: 40, costLimit: 1 << 40), .cost(1 << 20),
  ]

  @Test(arguments: EvictionPolicy.allCases)
  func `limits hold at every instant whatever the costs`(policy: EvictionPolicy) throws {
    let costs = [0, 1, 2, 99, 1 << 19, 1 << 38, 1 << 62, .max / 2, .max - 1, .max]
    for limits in Self.limits {
      let store = try MemoryStore<Int, Int>(limits: limits, policy: policy, exact: true)
      var random = SplitMix(state: 9)
      for step in 0..<3_000 {
        let key = Int.random(in: 0..<60, using: &random)
        let cost = costs[Int.random(in: 0..<costs.count, using: &random)]
        if store.insert(step, for: key, cost: cost) {
          #expect(store.entry(for: key)?.cost == cost)
        } else {
          #expect(store.entry(for: key) == nil)
        }
        if step % 3 == 0 { _ = store.value(for: Int.random(in: 0..<60, using: &random)) }
        if step % 11 == 0 { store.remove(Int.random(in: 0..<60, using: &random)) }
        #expect(store.totalCost <= limits.costLimit ?? .max)
        #expect(store.count <= limits.countLimit ?? .max)
      }
      var recount = 0
      store.forEach { _, entry in
        recount += entry.cost
        return true
      }
      #expect(store.totalCost == recount)
    }
  }

  @Test(arguments: EvictionPolicy.allCases)
  func `a cost limit of zero stores nothing, not even what costs nothing`(
    policy: EvictionPolicy
  ) throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(0), policy: policy)
    #expect(!store.insert(1, for: 1, cost: 0))
    #expect(store.count == 0)
    #expect(store.counters.rejected == 1)
  }

  @Test func `a trim of the largest costs ends at the limits of a number (B384)`() throws {
    let fractions = [1, 0.999_999_999_999_999_9, 0.5, 0, -1, .nan, .infinity, -.infinity]
    for policy in EvictionPolicy.allCases {
      for fraction in fractions {
        let store = try MemoryStore<Int, Int>(limits: .cost(.max), policy: policy, exact: true)
        store.insert(1, for: 1, cost: .max)
        let isKept = fraction >= 1
        #expect(store.trim(toFraction: fraction) == (isKept ? 0 : 1), "\(fraction)")
        #expect(store.count == (isKept ? 1 : 0))
        store.insert(2, for: 2, cost: .min)
        #expect(store.entry(for: 2)?.cost == 0)
      }
    }
  }

  @Test func `a trim that keeps all evicts none, where a fraction cannot tell costs apart (B384)`()
    throws
  {
    let store = try MemoryStore<Int, Int>(limits: .cost(.max), exact: true)
    store.insert(1, for: 1, cost: 1 << 53)
    store.insert(2, for: 2, cost: 1)
    #expect(store.trim(toFraction: 1) == 0)
    #expect(store.trim(toFraction: .infinity) == 0)
    #expect(store.count == 2)
  }

  @Test func `numbers that do not fit become the nearest that do (B384)`() {
    for (number, expected): (Double, Int64) in [
      (0x1p63, .max), (-0x1p63, .min), (-0x1p64, .min), (.infinity, .max), (-.infinity, .min),
      (.nan, 0), (-0.5, 0), (1.9, 1), (-1.9, -1), (0x1p62, 1 << 62),
    ] {
      #expect(Int64(clamping: number) == expected, "\(number)")
    }
    #expect(Int(clamping: 1e300) == .max)
    #expect(Int(clamping: -0x1p20 - 0.5) == -1 << 20)
    #expect(Int.max.addingClamped(1) == .max)
    #expect(Int.min.addingClamped(-1) == .min)
  }

  @Test func `a load time and a life of any length have a moment of refresh (B384)`() {
    let ahead = RefreshAhead.probabilistic(beta: 1e300)
    #expect(ahead.attention(storedAt: 0, deadline: .max - 1, loadTime: .max) == 0)
    let fraction = RefreshAhead.fraction(0.999_999_999_999_999_9)
    #expect((fraction.attention(storedAt: 0, deadline: .max - 1, loadTime: 0) ?? 0) > 0)
  }

  @Test func `the cost that all share follows the only entry`() throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(1_000), exact: true)
    for cost in [5, 0, 9] {
      store.insert(1, for: 1, cost: cost)
      #expect(store.totalCost == cost)
      store.insert(2, for: 2, cost: cost)
      #expect(store.totalCost == 2 * cost)
      #expect(store.withTable(0) { !$0.core.table.keepsCosts })
      store.remove(1)
      #expect(store.totalCost == cost)
      store.remove(2)
      #expect(store.totalCost == 0)
    }
    store.insert(1, for: 1, cost: 3)
    store.insert(2, for: 2, cost: 4)
    store.remove(1)
    store.insert(2, for: 2, cost: 6)
    store.insert(3, for: 3, cost: 3)
    #expect(store.totalCost == 9)
    #expect(store.entry(for: 2)?.cost == 6)
    #expect(store.entry(for: 3)?.cost == 3)
  }

  @Test func `entries that are expected to cost nothing leave each shard some of the limit`() {
    let limits = MemoryLimits(costLimit: 300, expectedEntryCost: 0)
    #expect(limits.shardCount(exact: false) == 1)
  }

  @Test func `a store that is mostly empty gives back all that it took (B377)`() throws {
    // Few entries take little; with more the arrays are allocated once.
    for (entries, capacity) in [(1, 16), (16, 16), (17, 60_000), (100, 60_000)] {
      let store = try MemoryStore<Int, Int>(limits: .count(60_000), exact: true)
      for key in 0..<entries { store.insert(key, for: key) }
      #expect(store.withTable(0) { $0.core.table.capacity } == capacity)
    }
  }
}
