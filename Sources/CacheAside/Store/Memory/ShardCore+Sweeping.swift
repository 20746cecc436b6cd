// What sweeps look for: entries that are kept no longer, and those that an invalidation by tag or
// namespace has reached.
//
// Such an invalidation only sets a flag in the shards that have entries of the kind, and from then
// on every read looks at the stamps. A pass over all positions removes what is out and clears the
// flag. Positions stay the same, and what is stored meanwhile was checked; a newer invalidation
// starts the pass anew.

extension ShardCore {
  /// Looks at some slots, going on where the last call ended, for an entry that is kept no longer.
  @usableFromInline
  mutating func nextDead(budget: inout Int, now: Int64) -> Int? {
    table.now = now
    guard table.flags & PositionTable.clockFlags != 0 else { return nil }
    while budget > 0 {
      budget -= 1
      if cursor >= table.index.words.count { cursor = 0 }
      let word = table.index.words[cursor]
      if word != 0 && table.isOver(at: IndexTable.position(word)) { return cursor }
      cursor += 1
    }
    return nil
  }

  /// When the first entry is kept no longer; in the past while an invalidation waits for the sweep.
  func firstEnd() -> Int64 {
    if table.flags & PositionTable.staleFlag != 0 { return .min }
    guard table.deadlineCount > 0 else { return .max }
    var first = Int64.max
    for slot in 0..<table.index.words.count {
      let word = table.index.words[slot]
      if word != 0 { first = min(first, table.times.keptUntil(IndexTable.position(word))) }
    }
    return first
  }

  /// Whether the entry in a slot is expired: kept no longer, or not fresh.
  @usableFromInline
  func isExpired(slot: Int, staleToo: Bool, now: Int64) -> Bool {
    let word = table.index.words[slot]
    guard word != 0, table.flags & PositionTable.clockFlags != 0 else { return false }
    let position = IndexTable.position(word)
    let end = staleToo ? table.times.deadline(position) : table.times.keptUntil(position)
    return end != .max && end <= now
  }

  /// Makes reads look for what was invalidated by tag or namespace, if there can be any.
  ///
  /// - Parameter expires: whether entries were expired.
  /// - Returns: the flag of the clock that reads need as soon as they find such an entry; the shard
  ///   has it only from then on, since it says that there are deadlines.
  mutating func noteInvalidation(expires: Bool) -> UInt32 {
    guard table.carried.selectable > 0 else { return 0 }
    table.flags |= PositionTable.staleFlag
    cleaned = 0
    guard expires else { return 0 }
    return table.times.isExact ? PositionTable.preciseFlag : PositionTable.coarseFlag
  }

  /// Looks at some positions, going on where the last call ended, for an entry that was invalidated
  /// by tag or namespace and must leave; its slot, and why.
  @usableFromInline
  mutating func nextOut(budget: inout Int) -> (slot: Int, reason: RemovalReason)? {
    guard table.flags & PositionTable.staleFlag != 0 else { return nil }
    while table.carried.selectable > 0 && cleaned < table.used {
      if budget <= 0 { return nil }
      budget -= 1
      cleaned += 1
      if let reason = settle(cleaned - 1) { return (table.slot(of: cleaned - 1), reason) }
    }
    table.flags &= ~PositionTable.staleFlag
    return nil
  }
}
