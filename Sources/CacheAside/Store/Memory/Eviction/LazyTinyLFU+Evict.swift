// The choice of Lazy-TinyLFU: `evictOne` and `mainVictim` of the reference. At most sixteen steps in
// the window and sixteen in main; each beyond the first uses up a hit that was counted.

extension LazyTinyLFU {
  /// Chooses and unlinks one entry.
  ///
  /// - Parameters:
  ///   - byCost: whether the cost limit is the one that is exceeded.
  ///   - incoming: the cost of the entry that needs the room.
  ///   - pinned: how many entries are in no queue, and what they cost.
  ///   - subject: the entries.
  /// - Returns: the position that leaves, or `nil` when there is none.
  package mutating func evict(
    byCost: Bool,
    for incoming: Int = 1,
    beside pinned: (count: Int, cost: Int) = (0, 0),
    _ subject: inout some EvictionSubject & ~Copyable
  ) -> Int? {
    let usesCost = byCost || countLimit == nil
    let whole = (usesCost ? costLimit : countLimit) ?? 0
    let capacity = max(0, whole - (usesCost ? pinned.cost : pinned.count))
    var scaled = target
    if usesCost, let countLimit, countLimit > 0 { scaled *= Double(capacity) / Double(countLimit) }
    let limit = min(max(1, Int(min(scaled, 0x1p62))), max(1, capacity))
    // The sizes are those with the newcomer, and with the candidate that would move: sums of cost
    // rarely meet a limit, and what is only nearly full must not let candidates pass uncontested.
    let newcomer = usesCost ? max(1, incoming) : 1
    var passes = min(window.count, 16)
    while true {
      let windowSize = usesCost ? window.cost : window.count
      if main.count > 0, windowSize <= limit - newcomer || window.count == 0 {
        return evictFromMain(&subject)
      }
      guard let candidate = window.oldest else { return nil }
      let cost = subject.cost(at: candidate)
      links.popBack(candidate, cost: cost, from: &window)
      if subject.isDead(at: candidate) { return candidate }
      let hits = drain(candidate, inMain: false, &subject)
      if usesCost ? main.cost <= capacity - limit - cost : main.count < capacity - limit {
        moveToMain(candidate, cost)
        continue
      }
      if hits >= 1 && passes > 0 {
        passes -= 1
        links.pushFront(candidate, cost: cost, to: &window)
        continue
      }
      if main.count == 0 {
        remember(subject.policyHash(at: candidate), cost, .window)
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
    remember(hash, cost, .window)
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
    let cost = subject.cost(at: victim)
    links.popBack(victim, cost: cost, from: &main)
    if !subject.isDead(at: victim) { remember(subject.policyHash(at: victim), cost, .main) }
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
}
