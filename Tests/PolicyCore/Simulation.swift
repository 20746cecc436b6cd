// A cache of keys alone: the core of Lazy-TinyLFU, unsharded, driven as the reference simulator
// drives its policies. With `splitmix64` hashes its hit ratios are the simulator's to the last digit.
// The tests of the core replay their traces by this file too.
import CacheAside

/// The finaliser of splitmix64, by which the reference simulator hashes its keys.
func splitmix64(_ key: UInt64) -> UInt64 {
  var word = key &+ 0x9E37_79B9_7F4A_7C15
  word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
  word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
  return word ^ (word >> 31)
}

/// Hits, exact hashes and costs by position.
struct SimulatedEntries: EvictionSubject {
  var hits: [UInt8]
  var hashes: [UInt64]
  var costs: [Int] = []
  var dead: Set<Int> = []

  init(positions: Int) {
    hits = [UInt8](repeating: 0, count: positions)
    hashes = [UInt64](repeating: 0, count: positions)
  }

  mutating func takeHits(at position: Int) -> Int {
    defer { hits[position] = 0 }
    return Int(hits[position])
  }
  func policyHash(at position: Int) -> UInt64 { hashes[position] }
  func cost(at position: Int) -> Int { costs.isEmpty ? 1 : costs[position] }
  func isDead(at position: Int) -> Bool { !dead.isEmpty && dead.contains(position) }
}

struct Simulation: ~Copyable {
  private var core: LazyTinyLFU
  private var entries: SimulatedEntries
  private let capacity: Int
  private let limitsCost: Bool
  private let costs: [Int]
  private var count = 0
  private var totalCost = 0
  private var free: [Int] = []
  /// The position of each key, or a negative number.
  private var positions: [Int]
  private var keys: [Int]

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - capacity: how many entries it holds.
  ///   - keys: how many keys there are; they are numbered from zero.
  ///   - limitsCost: whether the capacity is a cost limit, with entries that cost one each.
  init(capacity: Int, keys: Int, limitsCost: Bool = false) {
    self.init(
      capacity: capacity,
      costs: [],
      keys: keys,
      limitsCost: limitsCost,
      // The reference's sketch has its full size from the start.
      sketchedEntries: capacity
    )
  }

  /// Makes an empty cache with a cost limit.
  ///
  /// - Parameters:
  ///   - costLimit: what its entries cost together at most.
  ///   - costs: what each key costs, at least one.
  init(costLimit: Int, costs: [Int]) {
    self.init(
      capacity: costLimit,
      costs: costs,
      keys: costs.count,
      limitsCost: true,
      sketchedEntries: 0
    )
  }

  private init(
    capacity: Int,
    costs: [Int],
    keys: Int,
    limitsCost: Bool,
    sketchedEntries: Int
  ) {
    let most = min(capacity, keys)
    core = LazyTinyLFU(
      countLimit: limitsCost ? nil : capacity,
      costLimit: limitsCost ? capacity : nil,
      entries: sketchedEntries,
      positions: most
    )
    entries = SimulatedEntries(positions: most)
    if !costs.isEmpty { entries.costs = [Int](repeating: 0, count: most) }
    self.capacity = capacity
    self.costs = costs
    self.limitsCost = limitsCost
    positions = [Int](repeating: -1, count: keys)
    self.keys = [Int](repeating: 0, count: most)
  }

  /// Asks for a key and stores it if it is missing and fits; tells whether it was there.
  mutating func request(_ key: Int, hash: UInt64) -> Bool {
    let position = positions[key]
    if position >= 0 {
      if entries.hits[position] < 3 { entries.hits[position] += 1 }
      return true
    }
    let cost = costs.isEmpty ? 1 : costs[key]
    if cost > capacity { return false }
    core.miss(hash, cost: cost)
    while totalCost > capacity - cost,
      let victim = core.evict(byCost: limitsCost, for: cost, &entries)
    {
      positions[keys[victim]] = -1
      totalCost -= entries.cost(at: victim)
      free.append(victim)
    }
    let place = free.popLast() ?? count
    if place == count { count += 1 }
    (keys[place], entries.hashes[place], entries.hits[place]) = (key, hash, 0)
    if !costs.isEmpty { entries.costs[place] = cost }
    positions[key] = place
    totalCost += cost
    core.insert(place, cost: cost)
    return false
  }
}
