// Lazy-TinyLFU: which entry leaves when there is no room.
//
// Two queues, a window for newcomers and main. A hit only bumps a small counter of the entry; the
// counter is drained into a frequency sketch when an eviction comes by. What leaves the window
// contests with main's clock victim by frequency, and ties keep the victim. Two short queues of
// ghosts tune the window: a miss on what lost in the window widens it, one on what main evicted
// narrows it. `EVICTION.md` of the design has the pseudo-code, the reasons and reference values.
//
// Pure: no lock, no clock, no keys. Positions and hashes come from the caller, hits and costs
// through `EvictionSubject`. With unit costs the decisions are those of the reference simulator.
//
// Costs: sizes are measured in entries when there is a count limit, else in cost; the step is one
// entry or the missed entry's cost, at most 1 % of the capacity. When there are both limits and the
// cost is exceeded, the window target is scaled to the cost limit. The sketch is sized for the
// entries that there will be: the count limit, or the cost limit by the mean cost of the residents;
// a table that is far from full has a smaller one that grows with it, and when the mean falls to a
// half the sketch is rebuilt. A ghost queue holds a tenth of the capacity in the primary unit.
//
// Invariants: a resident position is in exactly one of the two queues, and their counts and costs
// are those of their members.

package struct LazyTinyLFU: ~Copyable {
  var links: EntryLinks
  var window = EntryList()
  var main = EntryList()
  var sketch: FrequencySketch
  private(set) var ghosts: GhostQueues
  /// The window's target size, in the primary unit.
  private(set) var target: Double
  private(set) var countLimit: Int?
  private(set) var costLimit: Int?
  var random: UInt64 = 0x1234_5678_9abc_def1

  /// Makes an empty core.
  ///
  /// - Parameters:
  ///   - countLimit: entries at most, or no such limit.
  ///   - costLimit: cost at most, or no such limit.
  ///   - entries: what the sketch is sized for at first.
  ///   - positions: how many positions there are.
  package init(countLimit: Int?, costLimit: Int?, entries: Int, positions: Int) {
    self.countLimit = countLimit
    self.costLimit = costLimit
    links = EntryLinks(positions: positions)
    sketch = FrequencySketch(entries: entries)
    ghosts = Self.ghosts(countLimit: countLimit, costLimit: costLimit)
    target = max(1, 0.01 * Double(countLimit ?? costLimit ?? 0))
  }

  /// Makes an empty core for a shard's limits, which grows with the shard.
  init(_ limits: MemoryLimits) {
    self.init(
      countLimit: limits.countLimit,
      costLimit: limits.costLimit,
      entries: 0,
      positions: 0
    )
  }

  private static func ghosts(countLimit: Int?, costLimit: Int?) -> GhostQueues {
    GhostQueues(capacity: 0, costLimit: countLimit == nil ? costLimit.map { $0 / 10 } : nil)
  }

  /// Changes the limits, of the same kinds; the ghosts are forgotten, the window keeps its share.
  mutating func setLimits(countLimit: Int?, costLimit: Int?) {
    let old = Double(self.countLimit ?? self.costLimit ?? 0)
    let new = Double(countLimit ?? costLimit ?? 0)
    (self.countLimit, self.costLimit) = (countLimit, costLimit)
    let scaled = old > 0 ? target * new / old : 0
    target = min(max(scaled, max(1, 0.01 * new)), max(1, 0.8 * new))
    ghosts = Self.ghosts(countLimit: countLimit, costLimit: costLimit)
  }

  /// How many entries are in the queues.
  var count: Int { window.count + main.count }

  mutating func resize(positions: Int) { links.resize(positions: positions) }

  // MARK: The way of an entry

  /// Notes a miss that is about to be stored: tunes the window and counts the key.
  package mutating func miss(_ hash: UInt64, cost: Int) {
    growSketch(adding: cost)
    let capacity = Double(countLimit ?? costLimit ?? 0)
    let step = countLimit != nil ? 1 : min(Double(cost), max(1, 0.01 * capacity))
    switch ghosts.take(hash) {
    case .window: target += step
    case .main: target -= step
    case nil: break
    }
    target = min(max(target, max(1, 0.01 * capacity)), max(1, 0.8 * capacity))
    sketch.increment(hash)
  }

  /// Takes in a position as the newest of the window.
  package mutating func insert(_ position: Int, cost: Int) {
    links.setLife(position, 0)
    links.setInMain(position, false)
    links.pushFront(position, cost: cost, to: &window)
  }

  /// Unlinks a position that leaves for another reason than eviction; leaves no ghost.
  mutating func remove(_ position: Int, cost: Int) {
    if !links.isDoublyLinked { links.linkBack(window, main) }
    if links.isInMain(position) {
      links.remove(position, cost: cost, from: &main)
    } else {
      links.remove(position, cost: cost, from: &window)
    }
  }

  /// Notes that the cost of a resident entry has changed.
  mutating func adjust(_ position: Int, by difference: Int) {
    let difference = Int64(difference)
    if links.isInMain(position) { main.cost += difference } else { window.cost += difference }
  }

  /// Makes a resident position the newest; the recency policy's hit.
  mutating func touch(_ position: Int, cost: Int) {
    remove(position, cost: cost)
    insert(position, cost: cost)
  }

  /// Unlinks the oldest position of the window; what the simple policies evict.
  mutating func popOldest(_ subject: borrowing some EvictionSubject & ~Copyable) -> Int? {
    guard let position = window.oldest else { return nil }
    links.popBack(position, cost: subject.cost(at: position), from: &window)
    return position
  }

  /// Counts the pending hits of an entry that is removed though its key is in demand: to be stored
  /// again, or because it has expired.
  mutating func keepHits(of position: Int, _ subject: inout some EvictionSubject & ~Copyable) {
    _ = drain(position, inMain: links.isInMain(position), &subject)
  }

  /// Moves the pending hits of an entry into the sketch and tells how many there were.
  mutating func drain(
    _ position: Int,
    inMain: Bool,
    _ subject: inout some EvictionSubject & ~Copyable
  ) -> Int {
    let taken = subject.takeHits(at: position)
    let hits = inMain ? taken : min(taken, 1)
    if hits > 0 {
      let hash = subject.policyHash(at: position)
      for _ in 0..<hits { sketch.increment(hash) }
    }
    return hits
  }

  // MARK: Sizes

  private mutating func growSketch(adding cost: Int) {
    guard sketch.entries <= count else { return }
    let expected = expectedEntries(adding: cost)
    // At once for all of them when that is not much more than there are, else in steps.
    let known = max(count, 64)
    let entries = expected <= 8 * known ? expected : 4 * known
    // An estimate moves all the time, a limit does not.
    let isNeeded = entries == countLimit ? entries > sketch.entries : entries >= 2 * sketch.entries
    if isNeeded { sketch.grow(entries: entries) }
  }

  /// How many entries there will be when no more fit; a call that borrows the whole would copy it.
  @inline(__always)
  private func expectedEntries(adding cost: Int) -> Int {
    let most = min(countLimit ?? IndexTable.maximumPositions, IndexTable.maximumPositions)
    guard let costLimit else { return most }
    let mean = (Double(window.cost) + Double(main.cost) + Double(cost)) / Double(count + 1)
    let fitting = Double(costLimit) / mean
    return fitting < Double(most) ? max(1, Int(clamping: fitting)) : most
  }

  /// Remembers an evicted key for the tuning of the window.
  mutating func remember(_ hash: UInt64, _ cost: Int, _ origin: GhostQueues.Origin) {
    // In a table that is full by count the sketch is made for exactly its limit. Where the cost is
    // what bounds a queue, cheaper entries than the mean find room too.
    let capacity = countLimit == nil ? sketch.entries / 5 : sketch.entries / 10
    if ghosts.capacity < capacity { ghosts.resize(capacity: capacity) }
    ghosts.remember(hash, cost: cost, origin)
  }
}
