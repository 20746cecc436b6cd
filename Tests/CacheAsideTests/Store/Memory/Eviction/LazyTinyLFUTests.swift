import Testing

@testable import CacheAside

/// Entries of a simulation: hits and exact hashes by position, as the reference simulator has them.
private struct SimulatedEntries: EvictionSubject {
  var hits: [Int]
  var hashes: [UInt64]
  var costs: [Int] = []
  var dead: Set<Int> = []

  mutating func takeHits(at position: Int) -> Int {
    defer { hits[position] = 0 }
    return hits[position]
  }
  func policyHash(at position: Int) -> UInt64 { hashes[position] }
  func cost(at position: Int) -> Int { costs.isEmpty ? 1 : costs[position] }
  func isDead(at position: Int) -> Bool { dead.contains(position) }
}

@Suite struct LazyTinyLFUTests {
  /// The hit ratio in percent of a trace, by the core alone, with the simulator's hash.
  private func hitRatio(of trace: some Sequence<UInt64>, capacity: Int) -> Double {
    var core = LazyTinyLFU(
      countLimit: capacity,
      costLimit: nil,
      entries: capacity,
      positions: capacity
    )
    let zeros = [Int](repeating: 0, count: capacity)
    var entries = SimulatedEntries(hits: zeros, hashes: zeros.map(UInt64.init))
    var positions = [Int](repeating: -1, count: 50_000)
    var keys = zeros
    var (hits, requests, count) = (0, 0, 0)
    for key in trace {
      requests += 1
      let position = positions[Int(key)]
      if position >= 0 {
        hits += 1
        entries.hits[position] = min(entries.hits[position] + 1, 3)
        continue
      }
      let hash = FoldedHash.spread(key)
      core.miss(hash, cost: 1)
      var free = count
      if count == capacity, let victim = core.evict(byCost: false, &entries) {
        free = victim
        positions[keys[victim]] = -1
      } else {
        count += 1
      }
      (keys[free], entries.hashes[free], entries.hits[free]) = (Int(key), hash, 0)
      positions[Int(key)] = free
      core.insert(free, cost: 1)
    }
    return 100 * Double(hits) / Double(requests)
  }

  @Test(arguments: [(25, 2.36), (51, 4.93), (101, 9.86), (253, 24.77), (506, 49.42)])
  func `reproduces the reference on a loop`(capacity: Int, expected: Double) {
    // The recorded trace's 1,011 blocks, read 500 times.
    let trace = (0..<505_500).lazy.map { UInt64($0 % 1011) }
    #expect(abs(hitRatio(of: trace, capacity: capacity) - expected) < 0.01)
  }

  @Test func `keeps what is used often when others pass through`() {
    var random = SplitMix(state: 5)
    // Fifty popular keys between a stream of keys that never come back.
    let trace = (0..<40_000).map { index in
      index % 2 == 0 ? UInt64.random(in: 0..<50, using: &random) : UInt64(1000 + index)
    }
    #expect(hitRatio(of: trace, capacity: 60) > 48)
  }

  @Test func `widens the window when losers come back and narrows it for main's`() {
    let capacity = 1000
    var core = LazyTinyLFU(
      countLimit: capacity,
      costLimit: nil,
      entries: capacity,
      positions: capacity
    )
    let start = core.target
    core.remember(FoldedHash.spread(1), 1, .window)
    core.remember(FoldedHash.spread(2), 1, .window)
    core.remember(FoldedHash.spread(3), 1, .main)
    core.miss(FoldedHash.spread(1), cost: 1)
    core.miss(FoldedHash.spread(2), cost: 1)
    #expect(core.target == start + 2)
    core.miss(FoldedHash.spread(3), cost: 1)
    #expect(core.target == start + 1)
    core.miss(FoldedHash.spread(3), cost: 1)
    #expect(core.target == start + 1)
  }

  @Test func `takes dead entries first and leaves no ghost of them`() throws {
    var core = LazyTinyLFU(countLimit: 10, costLimit: nil, entries: 10, positions: 10)
    var entries = SimulatedEntries(
      hits: [Int](repeating: 3, count: 10),
      hashes: (0..<10).map { FoldedHash.spread($0) }
    )
    for position in 0..<10 {
      core.miss(entries.hashes[position], cost: 1)
      core.insert(position, cost: 1)
    }
    entries.dead = [1]
    // The hand moves the entries before it to main on its way.
    #expect(try #require(core.evict(byCost: false, &entries)) == 1)
    #expect(core.ghosts.count == 0)
    #expect(core.count == 9)
  }

  @Test func `measures its queues in cost when only the cost is limited`() throws {
    var core = LazyTinyLFU(countLimit: nil, costLimit: 1000, entries: 0, positions: 10)
    var entries = SimulatedEntries(
      hits: [Int](repeating: 0, count: 10),
      hashes: (0..<10).map { FoldedHash.spread($0) },
      costs: [Int](repeating: 100, count: 10)
    )
    for position in 0..<10 {
      core.miss(entries.hashes[position], cost: 100)
      core.insert(position, cost: 100)
    }
    _ = try #require(core.evict(byCost: true, &entries))
    #expect(core.window.cost + core.main.cost == 900)
    // The target is 1 % of the cost, so all but what contests has gone to main.
    #expect(core.main.cost >= 800)
  }
}
