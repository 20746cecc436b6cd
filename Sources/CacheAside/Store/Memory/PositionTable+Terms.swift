// What entries carry and what follows from it: who must leave first, whose deadline a hit moves.
//
// Questions are inlined as a whole: a call that only borrows a table copies it.

/// How many entries of a shard carry what.
struct TermsCounts {
  /// Those that can be invalidated by tag or namespace.
  var selectable = 0
  /// Those that expire by idleness.
  var idle = 0
  /// Those that are never evicted, and what they cost.
  var pinned = 0
  var pinnedCost: Int64 = 0

  fileprivate mutating func add(_ terms: EntryTerms?, _ step: Int, cost: Int) {
    guard let terms else { return }
    if terms.isSelectable { selectable += step }
    if terms.idle > 0 { idle += step }
    if terms.isPinned {
      pinned += step
      pinnedCost += Int64(step) * Int64(cost)
    }
  }
}

extension PositionTable {
  /// Changes what a resident entry carries; its cost must be set.
  @inline(__always)
  mutating func setTerms(_ position: Int, _ new: EntryTerms?) {
    if !terms.isEmpty || new != nil { changeTerms(position, new) }
  }

  @inline(never)
  private mutating func changeTerms(_ position: Int, _ new: EntryTerms?) {
    if terms.isEmpty { terms.resize(positions: capacity) }
    let old = terms[position]
    if old === new { return }
    carried.add(old, -1, cost: cost(at: position))
    carried.add(new, 1, cost: cost(at: position))
    terms[position] = new
  }

  @inline(__always)
  func isPinned(_ position: Int) -> Bool {
    carried.pinned > 0 && terms[position]?.isPinned == true
  }

  // MARK: Who must leave

  /// Why an entry leaves before any other; `nil` when it need not.
  @inline(__always)
  func reasonToLeave(at position: Int) -> RemovalReason? {
    if flags & (Self.clockFlags | Self.staleFlag) == 0 { return nil }
    if isOver(at: position) { return .expired }
    return isOut(at: position) ? .invalidated : nil
  }

  /// Whether an entry is kept no longer.
  @inline(__always)
  func isOver(at position: Int) -> Bool {
    if flags & Self.clockFlags == 0 { return false }
    let end = times.keptUntil(position)
    return end != .max && end <= now
  }

  /// Whether an entry was removed by tag or namespace.
  @inline(__always)
  func isOut(at position: Int) -> Bool {
    guard flags & Self.staleFlag != 0, let terms = terms[position] else { return false }
    return stamps?.isOut(terms) ?? false
  }

  @inline(__always)
  func isOut(_ terms: EntryTerms) -> Bool { stamps?.isOut(terms) ?? false }

  // MARK: Idleness

  // In ticks, an entry that expires by idleness needs attention again after a small share of its
  // interval: the first hit from then on goes the slow way and moves the deadline, those before it
  // are as fast as any. So an entry may end that share earlier than its last hit would have it.

  /// How long hits need not move the deadline: a 256th of the interval, at least a tick.
  private func rest(_ idle: Int64) -> Int64 { max(idle >> 8, 1 << EntryTimes.tickBits) }

  func isIdling(_ position: Int) -> Bool {
    carried.idle > 0 && terms.idle(position).map { $0.length > 0 } ?? false
  }

  /// When a new entry needs attention.
  func attention(_ insert: InsertTerms) -> Int64 {
    guard let terms = insert.terms, terms.idle > 0 else { return insert.attentionAt }
    return times.isExact ? .max : Lifetime.sum(now, rest(terms.idle))
  }

  /// Moves the deadline of an entry that was read and expires by idleness.
  mutating func prolong(_ position: Int) {
    guard let idle = terms.idle(position) else { return }
    let latest = Lifetime.sum(times.storedAt(position), idle.maximum)
    times.prolong(
      position,
      until: min(Lifetime.sum(now, idle.length), latest),
      attentionAt: Lifetime.sum(now, rest(idle.length))
    )
  }
}
