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
// cost is exceeded, the window target is scaled to the cost limit. The ghost queues hold a tenth
// of the entries that the table holds; sketch and ghosts grow with the table.
//
// Invariants: a resident position is in exactly one of the two queues, and their counts and costs
// are those of their members.

struct LazyTinyLFU: ~Copyable {
  private(set) var links: EntryLinks
  private(set) var window = EntryList()
  private(set) var main = EntryList()
  private var sketch: FrequencySketch
  private(set) var ghosts = GhostQueues(capacity: 0)
  /// The window's target size, in the primary unit.
  private(set) var target: Double
  private let countLimit: Int?
  private let costLimit: Int?
  private var random: UInt64 = 0x1234_5678_9abc_def1

  /// Makes an empty core.
  ///
  /// - Parameters:
  ///   - countLimit: entries at most, or no such limit.
  ///   - costLimit: cost at most, or no such limit.
  ///   - entries: what the sketch is sized for at first.
  ///   - positions: how many positions there are.
  init(countLimit: Int?, costLimit: Int?, entries: Int, positions: Int) {
    self.countLimit = countLimit
    self.costLimit = costLimit
    links = EntryLinks(positions: positions)
    sketch = FrequencySketch(entries: entries)
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

  /// How many entries are resident.
  var count: Int { window.count + main.count }

  mutating func resize(positions: Int) { links.resize(positions: positions) }

  // MARK: The way of an entry

  /// Notes a miss that is about to be stored: tunes the window and counts the key.
  mutating func miss(_ hash: UInt64, cost: Int) {
    growSketch()
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
  mutating func insert(_ position: Int, cost: Int) {
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

  /// Counts the pending hits of an entry that is removed to be stored again.
  mutating func keepHits(of position: Int, _ subject: inout some EvictionSubject & ~Copyable) {
    _ = drain(position, inMain: links.isInMain(position), &subject)
  }

  // MARK: Eviction

  /// Chooses and unlinks one entry.
  ///
  /// - Parameters:
  ///   - byCost: whether the cost limit is the one that is exceeded.
  ///   - subject: the entries.
  /// - Returns: the position that leaves, or `nil` when there is none.
  mutating func evict(
    byCost: Bool,
    _ subject: inout some EvictionSubject & ~Copyable
  ) -> Int? {
    let usesCost = byCost || countLimit == nil
    let capacity = (usesCost ? costLimit : countLimit) ?? 0
    var scaled = target
    if usesCost, let countLimit, countLimit > 0 { scaled *= Double(capacity) / Double(countLimit) }
    let limit = min(max(1, Int(min(scaled, 0x1p62))), max(1, capacity))
    var passes = min(window.count, 16)
    while true {
      let windowSize = usesCost ? window.cost : window.count
      if main.count > 0, windowSize < limit || window.count == 0 {
        return evictFromMain(&subject)
      }
      guard let candidate = window.oldest else { return nil }
      let cost = subject.cost(at: candidate)
      links.popBack(candidate, cost: cost, from: &window)
      if subject.isDead(at: candidate) { return candidate }
      let hits = drain(candidate, inMain: false, &subject)
      if (usesCost ? main.cost : main.count) < capacity - limit {
        moveToMain(candidate, cost)
        continue
      }
      if hits >= 1 && passes > 0 {
        passes -= 1
        links.pushFront(candidate, cost: cost, to: &window)
        continue
      }
      if main.count == 0 {
        remember(subject.policyHash(at: candidate), .window)
        return candidate
      }
      return contest(candidate, cost, &subject)
    }
  }

  private mutating func moveToMain(_ position: Int, _ cost: Int) {
    links.setLife(position, 0)
    links.setInMain(position, true)
    links.pushFront(position, cost: cost, to: &main)
  }

  private mutating func contest(
    _ candidate: Int,
    _ cost: Int,
    _ subject: inout some EvictionSubject & ~Copyable
  ) -> Int {
    let victim = mainVictim(&subject)
    let hash = subject.policyHash(at: candidate)
    let wins = subject.isDead(at: victim) || beats(hash, subject.policyHash(at: victim))
    if wins {
      leaveMain(victim, &subject)
      moveToMain(candidate, cost)
      return victim
    }
    remember(hash, .window)
    return candidate
  }

  private mutating func evictFromMain(_ subject: inout some EvictionSubject & ~Copyable) -> Int {
    let victim = mainVictim(&subject)
    leaveMain(victim, &subject)
    return victim
  }

  private mutating func leaveMain(
    _ victim: Int,
    _ subject: inout some EvictionSubject & ~Copyable
  ) {
    links.popBack(victim, cost: subject.cost(at: victim), from: &main)
    if !subject.isDead(at: victim) { remember(subject.policyHash(at: victim), .main) }
  }

  /// Advances main's clock hand to an entry without life left, which stays at the back.
  private mutating func mainVictim(_ subject: inout some EvictionSubject & ~Copyable) -> Int {
    var budget = 16
    while true {
      let position = Int(main.back) - 1
      if subject.isDead(at: position) { return position }
      let hits = drain(position, inMain: true, &subject)
      let life = min(links.life(position) + hits, 3)
      if life == 0 || budget == 0 {
        links.setLife(position, life)
        return position
      }
      links.setLife(position, life - 1)
      budget -= 1
      let cost = subject.cost(at: position)
      links.popBack(position, cost: cost, from: &main)
      links.pushFront(position, cost: cost, to: &main)
    }
  }

  private mutating func drain(
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

  /// Whether a candidate takes the victim's place; one in 128 frequent losers does, against floods.
  private mutating func beats(_ candidate: UInt64, _ victim: UInt64) -> Bool {
    let frequency = sketch.frequency(candidate)
    if frequency > sketch.frequency(victim) { return true }
    if frequency < 12 { return false }
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random & 127 == 0
  }

  // MARK: Sizes

  private mutating func growSketch() {
    if sketch.entries <= count {
      let most = min(countLimit ?? IndexTable.maximumPositions, IndexTable.maximumPositions)
      let entries = min(most, max(256, 4 * count))
      if entries > sketch.entries { sketch.grow(entries: entries) }
    }
  }

  private mutating func remember(_ hash: UInt64, _ origin: GhostQueues.Origin) {
    let capacity = (countLimit ?? sketch.entries) / 10
    if ghosts.capacity < capacity { ghosts.resize(capacity: capacity) }
    ghosts.remember(hash, origin)
  }
}
