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
  private var count = 0
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
    core = LazyTinyLFU(
      countLimit: limitsCost ? nil : capacity,
      costLimit: limitsCost ? capacity : nil,
      entries: capacity,
      positions: capacity
    )
    entries = SimulatedEntries(positions: capacity)
    self.capacity = capacity
    self.limitsCost = limitsCost
    positions = [Int](repeating: -1, count: keys)
    self.keys = [Int](repeating: 0, count: capacity)
  }

  /// Asks for a key and stores it if it is missing; tells whether it was there.
  mutating func request(_ key: Int, hash: UInt64) -> Bool {
    let position = positions[key]
    if position >= 0 {
      if entries.hits[position] < 3 { entries.hits[position] += 1 }
      return true
    }
    core.miss(hash, cost: 1)
    var free = count
    if count == capacity, let victim = core.evict(byCost: limitsCost, &entries) {
      free = victim
      positions[keys[victim]] = -1
    } else {
      count += 1
    }
    (keys[free], entries.hashes[free], entries.hits[free]) = (key, hash, 0)
    positions[key] = free
    core.insert(free, cost: 1)
    return false
  }
}
