import Testing

@testable import CacheAside

/// Sizes in cost: of the ghost queues, of the window's steps and of the sketch.
@Suite struct EvictionCostTests {
  private func core(costLimit: Int, countLimit: Int? = nil) -> LazyTinyLFU {
    LazyTinyLFU(countLimit: countLimit, costLimit: costLimit, entries: 0, positions: 10_000)
  }

  private func fill(_ core: inout LazyTinyLFU, _ positions: Range<Int>, cost: Int) {
    for position in positions {
      core.miss(splitmix64(UInt64(position)), cost: cost)
      core.insert(position, cost: cost)
    }
  }

  @Test func `a queue of ghosts holds a tenth of the budget`() {
    var ghosts = GhostQueues(capacity: 100, costLimit: 50)
    for key in UInt64(1)...10 { ghosts.remember(key, cost: 10, .window) }
    for key in UInt64(11)...20 { ghosts.remember(key, cost: 25, .main) }
    #expect(ghosts.count == 5 + 2)
    #expect(ghosts.take(5) == nil)
    #expect(ghosts.take(6) == .window)
    #expect(ghosts.take(18) == nil)
    #expect(ghosts.take(19) == .main)
    // What was taken makes room again, and what is too large for the queue leaves no ghost.
    ghosts.remember(30, cost: 10, .window)
    #expect(ghosts.take(7) == .window)
    ghosts.remember(31, cost: 51, .window)
    #expect(ghosts.take(31) == nil)
    #expect(ghosts.take(30) == .window)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `ghosts of different costs behave like two bounded lists`(seed: UInt64) {
    let (capacity, costLimit) = (17, 60)
    var random = SplitMix(state: seed)
    var ghosts = GhostQueues(capacity: 5, costLimit: costLimit)
    ghosts.resize(capacity: capacity)
    var lists: [GhostQueues.Origin: [(key: UInt64, cost: Int)]] = [.window: [], .main: []]
    for _ in 0..<20_000 {
      let key = UInt64.random(in: 1...60, using: &random)
      let expected = lists.first { $0.value.contains { $0.key == key } }?.key
      for origin in lists.keys { lists[origin]?.removeAll { $0.key == key } }
      if Bool.random(using: &random) {
        #expect(ghosts.take(key) == expected)
        continue
      }
      let origin: GhostQueues.Origin = Bool.random(using: &random) ? .window : .main
      let cost = Int.random(in: 0...12, using: &random)
      ghosts.remember(key, cost: cost, origin)
      var list = (lists[origin] ?? []) + [(key, cost)]
      while list.count > capacity || list.reduce(0, { $0 + $1.cost }) > costLimit {
        list.removeFirst()
      }
      lists[origin] = list
    }
    #expect(ghosts.count == lists.values.reduce(0) { $0 + $1.count })
  }

  @Test func `the window moves by the missed entry's cost, at most by a hundredth`() {
    var core = core(costLimit: 100_000)
    fill(&core, 0..<500, cost: 100)
    for key in UInt64(1)...3 { core.remember(splitmix64(key + 10_000), 100, .window) }
    let start = core.target
    core.miss(splitmix64(10_001), cost: 300)
    #expect(core.target == start + 300)
    core.miss(splitmix64(10_002), cost: 5_000)
    #expect(core.target == start + 1_300)
  }

  @Test func `the sketch is made for the budget by the mean cost, and again when that halves`() {
    var core = core(costLimit: 100_000)
    fill(&core, 0..<1, cost: 100)
    #expect(core.sketch.entries == 256)
    fill(&core, 1..<300, cost: 100)
    #expect(core.sketch.entries == 1_000)
    fill(&core, 300..<900, cost: 100)
    #expect(core.sketch.entries == 1_000)
    // Cheaper entries take the place of those that leave.
    for position in 0..<890 { core.remove(position, cost: 100) }
    fill(&core, 1_000..<3_000, cost: 40)
    #expect((2_000...5_000).contains(core.sketch.entries))
  }

  @Test func `a small budget has a small sketch at once, and a cheap first entry no large one`() {
    var small = core(costLimit: 1_000)
    fill(&small, 0..<1, cost: 100)
    #expect(small.sketch.entries == 10)
    var large = core(costLimit: 1 << 40)
    fill(&large, 0..<1, cost: 1)
    #expect(large.sketch.entries == 256)
    var free = core(costLimit: 1 << 40)
    fill(&free, 0..<10, cost: 0)
    #expect(free.sketch.entries == 256)
  }

  @Test func `with both limits the sketch is made for the one that is reached first`() {
    var byCost = core(costLimit: 100_000, countLimit: 5_000)
    fill(&byCost, 0..<900, cost: 100)
    #expect(byCost.sketch.entries == 1_000)
    var byCount = core(costLimit: 100_000, countLimit: 500)
    fill(&byCount, 0..<400, cost: 100)
    #expect(byCount.sketch.entries == 500)
  }

  @Test func `evicts for a newcomer until it fits, and remembers what left`() throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(1_000), exact: true)
    for key in 0..<100 { store.insert(key, for: key, cost: 10) }
    #expect(store.insert(0, for: 1_000, cost: 95))
    #expect(store.totalCost <= 1_000)
    #expect(store.counters.evicted == 10)
    #expect(store.withTable(0) { $0.core.queues.ghosts.count } == 10)
    // Eleven ghosts of ten would cost more than a tenth of the budget, in each queue.
    #expect(store.insert(0, for: 1_001, cost: 300))
    #expect((10...20).contains(store.withTable(0) { $0.core.queues.ghosts.count }))
  }

  /// A thousand requests after as many for warming up: half of them for hot keys, half one-offs.
  private func thousand(
    costLimit: Int,
    hot: Int,
    policy: EvictionPolicy = .lazyTinyLFU,
    cost: (Int) -> Int
  ) throws -> (hits: Int, hot: Int) {
    let store = try MemoryStore<Int, Int>(limits: .cost(costLimit), policy: policy, exact: true)
    var random = SplitMix(state: 381)
    var (hits, asked) = (0, 0)
    for index in 0..<2_000 {
      let isHot = Bool.random(using: &random)
      let key = isHot ? Int.random(in: 0..<hot, using: &random) : 1_000 + index
      let isFound = store.value(for: key) != nil
      if !isFound { store.insert(key, for: key, cost: cost(key)) }
      guard index >= 1_000 else { continue }
      asked += isHot ? 1 : 0
      hits += isFound ? 1 : 0
    }
    return (hits, asked)
  }

  @Test(arguments: [20_000, 20_400, 20_900, 24_000])
  func `a larger budget does not lose what is hot when entries are dearer than the window (B381)`(
    costLimit: Int
  ) throws {
    let (hits, hot) = try thousand(costLimit: costLimit, hot: 19) { _ in 1_000 }
    #expect(hot - hits <= 14, "\(hits) of \(hot)")
    #expect(hits >= 480)
  }

  @Test func `entries of uneven costs keep what is hot beside one-offs (B381)`() throws {
    func cost(_ key: Int) -> Int { 200 + Int(splitmix64(UInt64(key)) % 601) }
    let (hits, hot) = try thousand(costLimit: 20_400, hot: 30, cost: cost)
    #expect(Double(hits) >= 0.909 * Double(hot), "\(hits) of \(hot)")
    let recent = try thousand(costLimit: 20_400, hot: 30, policy: .lru, cost: cost).hits
    #expect(hits > recent + 100, "\(recent)")
  }

  @Test func `what was read often outlives a hundred one-offs as dear as it (B381)`() throws {
    for costLimit in [20_000, 20_500, 20_999] {
      let store = try MemoryStore<Int, Int>(limits: .cost(costLimit), exact: true)
      for key in 0..<20 { store.insert(key, for: key, cost: 1_000) }
      for _ in 0..<3 { for key in 0..<20 { #expect(store.value(for: key) == key) } }
      for key in 100..<200 { store.insert(key, for: key, cost: 1_000) }
      #expect((0..<20).count { store.peek($0) != nil } >= 18, "\(costLimit)")
    }
  }

  @Test func `one dear entry does not drive out the many that it would replace (B381)`() throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(10_000), exact: true)
    for key in 0..<1_000 { store.insert(key, for: key, cost: 10) }
    for _ in 0..<3 { for key in 0..<1_000 { _ = store.value(for: key) } }
    // Dear ones that are seen twice each, beside cheap ones that are seen three times.
    for key in 2_000..<2_040 {
      store.insert(key, for: key, cost: 1_000)
      _ = store.value(for: key)
    }
    #expect((0..<1_000).count { store.peek($0) != nil } >= 850)
  }

  @Test func `entries of different costs contest by frequency`() throws {
    let store = try MemoryStore<Int, Int>(limits: .cost(2_400), exact: true)
    var hits = 0
    for index in 0..<60_000 {
      // Two hundred keys come again and again, and as many in between that come but once: the
      // order of use alone, or one bit of it, keeps hardly any.
      let key = index.isMultiple(of: 2) ? index / 2 % 200 : 1_000 + index
      if store.value(for: key) != nil { hits += 1; continue }
      store.insert(key, for: key, cost: 1 + key &* 7_919 % 20)
    }
    #expect(hits > 22_000, "\(hits)")
  }
}
