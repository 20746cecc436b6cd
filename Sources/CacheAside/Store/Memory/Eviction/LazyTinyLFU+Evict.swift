// The choice of Lazy-TinyLFU: `evictOne` and `mainVictim` of the reference. At most sixteen steps in
// the window and sixteen in main; each beyond the first uses up a hit that was counted.
//
// With costs, two things are different, and with unit costs the same. The window is at least as
// large as the newcomer, else whatever is dearer than a hundredth of the budget passes into main
// uncontested. And a candidate contests with all that would leave for it, not with the first alone
// (Einziger, Eytan, Friedman, Manes: "Lightweight Robust Size Aware Cache Management", 2022).

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
    beside pinned: (count: Int, cost: Int64) = (0, 0),
    _ subject: inout some EvictionSubject & ~Copyable
  ) -> Int? {
    let usesCost = byCost || countLimit == nil
    let whole = Int64((usesCost ? costLimit : countLimit) ?? 0)
    let capacity = max(0, whole - (usesCost ? pinned.cost : Int64(pinned.count)))
    var scaled = target
    if usesCost, let countLimit, countLimit > 0 { scaled *= Double(capacity) / Double(countLimit) }
    // The sizes are those with the newcomer, and with the candidate that would move: sums of cost
    // rarely meet a limit, and what is only nearly full must not let candidates pass uncontested.
    // The newcomer is in the window next, so main's share leaves room for it, however dear it is.
    let newcomer = usesCost ? max(1, Int64(incoming)) : 1
    let limit = min(max(newcomer, Int64(clamping: scaled)), max(1, capacity))
    var passes = min(window.count, 16)
    while true {
      let windowSize = usesCost ? window.cost : Int64(window.count)
      let roomInMain = capacity - limit - (usesCost ? main.cost : Int64(main.count))
      if main.count > 0, windowSize <= limit - newcomer || roomInMain < 0 || window.count == 0 {
        return evictFromMain(&subject)
      }
      guard let candidate = window.oldest else { return nil }
      let cost = subject.cost(at: candidate)
      links.popBack(candidate, cost: cost, from: &window)
      if subject.isDead(at: candidate) { return candidate }
      let hits = drain(candidate, inMain: false, &subject)
      let need = usesCost ? Int64(cost) : 1
      if need <= roomInMain {
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
      return contest(candidate, cost, freeing: usesCost ? need - roomInMain : 1, &subject)
    }
  }

  private mutating func moveToMain(_ position: Int, _ cost: Int) {
    links.setLife(position, 0)
    links.setInMain(position, true)
    links.pushFront(position, cost: cost, to: &main)
  }

  /// Sends a candidate to main in the place of the first of its victims, or lets it leave.
  private mutating func contest(
    _ candidate: Int,
    _ cost: Int,
    freeing need: Int64,
    _ subject: inout some EvictionSubject & ~Copyable
  ) -> Int {
    let victim = mainVictim(&subject)
    let hash = subject.policyHash(at: candidate)
    let wins =
      subject.isDead(at: victim) ? true : beats(hash, victim, freeing: need, &subject)
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

  /// Whether a candidate is seen more often than all together that would leave for it; one in 128
  /// frequent losers is admitted, against floods.
  ///
  /// With costs these are the victim and those behind it until there is room; each counts at least
  /// once, so that the walk is no longer than a frequency is high. Measured in entries it is the
  /// victim alone.
  private mutating func beats(
    _ candidate: UInt64,
    _ victim: Int,
    freeing need: Int64,
    _ subject: inout some EvictionSubject & ~Copyable
  ) -> Bool {
    // Passed on as `inout`: a call that only borrows a table copies it.
    let frequency = sketch.frequency(candidate)
    var sum = sketch.frequency(subject.policyHash(at: victim))
    var freed = need == 1 ? 1 : Int64(subject.cost(at: victim))
    var next = victim
    while freed < need && sum < frequency, let newer = links.newer(than: next) {
      next = newer
      freed += Int64(subject.cost(at: next))
      if !subject.isDead(at: next) { sum += max(1, sketch.frequency(subject.policyHash(at: next))) }
    }
    if frequency > sum { return true }
    if frequency < 12 { return false }
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random & 127 == 0
  }
}
