import Testing

@testable import CacheAside

@Suite struct LazyTinyLFUTests {
  /// The hits of a trace of small numbers by the core alone, with the simulator's hash.
  private func hits(
    of trace: some Sequence<Int>,
    keys: Int,
    capacity: Int,
    limitsCost: Bool = false
  ) -> Int {
    let hashes = (0..<keys).map { splitmix64(UInt64($0)) }
    var simulation = Simulation(capacity: capacity, keys: keys, limitsCost: limitsCost)
    var hits = 0
    for key in trace where simulation.request(key, hash: hashes[key]) { hits += 1 }
    return hits
  }

  @Test(arguments: [(25, 2.36), (51, 4.93), (101, 9.86), (253, 24.77), (506, 49.42)])
  func `reproduces the reference on a loop`(capacity: Int, expected: Double) {
    // The recorded trace's 1,011 blocks, read 500 times.
    let trace = (0..<505_500).lazy.map { $0 % 1011 }
    let ratio = 100 * Double(hits(of: trace, keys: 1011, capacity: capacity)) / 505_500
    #expect(abs(ratio - expected) <= 0.005)
  }

  /// Recorded with the core that reproduces every reference value of the recorded traces.
  @Test(arguments: [(20, 31_616), (200, 53_093), (1000, 67_466), (5000, 80_370)], [false, true])
  func `hits as often as recorded on a seeded Zipf trace`(
    size: (capacity: Int, hits: Int),
    limitsCost: Bool
  ) {
    // With entries that cost one, a cost limit is a count limit.
    let found = hits(
      of: Self.zipf.requests,
      keys: 20_000,
      capacity: size.capacity,
      limitsCost: limitsCost
    )
    #expect(found == size.hits)
  }

  private static let zipf = ZipfTrace(keys: 20_000, count: 100_000, seed: 20_261_130)

  @Test func `keeps what is used often when others pass through`() {
    var random = SplitMix(state: 5)
    // Fifty popular keys between a stream of keys that never come back.
    let trace = (0..<40_000).map { index in
      index % 2 == 0 ? Int.random(in: 0..<50, using: &random) : 1000 + index
    }
    #expect(hits(of: trace, keys: 41_000, capacity: 60) > 19_200)
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

  private func entries(of count: Int, hits: UInt8 = 0, cost: Int = 1) -> SimulatedEntries {
    var entries = SimulatedEntries(positions: count)
    for position in 0..<count {
      entries.hits[position] = hits
      entries.hashes[position] = FoldedHash.spread(UInt64(position))
    }
    entries.costs = [Int](repeating: cost, count: count)
    return entries
  }

  @Test func `takes dead entries first and leaves no ghost of them`() throws {
    var core = LazyTinyLFU(countLimit: 10, costLimit: nil, entries: 10, positions: 10)
    var entries = entries(of: 10, hits: 3)
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
    var entries = entries(of: 10, cost: 100)
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
