// What entries carry and what follows from it: who must leave first, whose deadline a hit moves.

/// How many entries of a shard carry what.
struct TermsCounts {
  /// Those that can be invalidated by tag or namespace.
  var selectable = 0
  /// Those that expire by idleness.
  var idle = 0
  /// Those that are never evicted, and what they cost.
  var pinned = 0
  var pinnedCost = 0

  fileprivate mutating func add(_ terms: EntryTerms?, _ step: Int, cost: Int) {
    guard let terms else { return }
    if terms.isSelectable { selectable += step }
    if terms.idle > 0 { idle += step }
    if terms.isPinned {
      pinned += step
      pinnedCost += step * cost
    }
  }
}

extension PositionTable {
  /// Changes what a resident entry carries; its cost must be set.
  mutating func setTerms(_ position: Int, _ new: EntryTerms?) {
    if terms.isEmpty {
      if new == nil { return }
      terms.resize(positions: capacity)
    }
    let old = terms[position]
    if old === new { return }
    carried.add(old, -1, cost: cost(at: position))
    carried.add(new, 1, cost: cost(at: position))
    terms[position] = new
    flags = carried.idle > 0 ? flags | Self.idleFlag : flags & ~Self.idleFlag
  }

  func isPinned(_ position: Int) -> Bool {
    carried.pinned > 0 && terms[position]?.isPinned == true
  }

  // MARK: Who must leave

  /// Why an entry leaves before any other; `nil` when it need not.
  func reasonToLeave(at position: Int) -> RemovalReason? {
    if flags & (Self.clockFlags | Self.staleFlag) == 0 { return nil }
    if isOver(at: position) { return .expired }
    return isOut(at: position) ? .invalidated : nil
  }

  /// Whether an entry is kept no longer.
  func isOver(at position: Int) -> Bool {
    if flags & Self.clockFlags == 0 { return false }
    let end = times.keptUntil(position)
    return end != .max && end <= now
  }

  /// Whether an entry was invalidated by tag or namespace.
  func isOut(at position: Int) -> Bool {
    guard flags & Self.staleFlag != 0, let terms = terms[position] else { return false }
    return isOut(terms)
  }

  func isOut(_ terms: EntryTerms) -> Bool { stamps?.isOut(terms) ?? false }

  // MARK: Idleness

  /// The part of a hit whose shard has entries that expire by idleness: moves the deadline; whether
  /// that was all there is to do.
  @usableFromInline @inline(never)
  mutating func isFreshAndProlonged(_ position: Int, now: Int64) -> Bool {
    guard flags == Self.coarseFlag | Self.idleFlag, times.isFresh(position, now: now) else {
      return false
    }
    prolong(position, now: now)
    return true
  }

  /// Moves the deadline of an entry that was read, when it expires by idleness.
  mutating func prolong(_ position: Int, now: Int64) {
    guard let idle = terms.idle(position), idle.length > 0 else { return }
    let latest = Lifetime.sum(times.storedAt(position), idle.maximum)
    times.prolong(position, until: min(Lifetime.sum(now, idle.length), latest))
  }
}
