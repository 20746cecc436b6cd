// What a read that goes the slow way finds: pure decisions, under the shard's lock.

extension ShardCore {
  /// What becomes of a read.
  @usableFromInline
  enum Reading {
    /// It is a hit.
    case hit
    /// The entry is fresh but needs attention: neither a hit nor a miss.
    case attend
    /// It is a miss, and the entry stays.
    case miss
    /// It is a miss, and the entry leaves.
    case leave(RemovalReason)
  }

  /// Decides about a read of a resident entry by a clock that was read for the flags in `known`.
  @usableFromInline
  mutating func read(_ position: Int, now: Int64, known: UInt32) -> Reading {
    if let reason = settle(position) { return .leave(reason) }
    let needed = table.flags & PositionTable.clockFlags
    if needed > known & PositionTable.clockFlags { return missed(position, now: now) }
    if needed != 0 && !table.times.isFreshExactly(position, now: now) {
      let end = table.times.deadline(position)
      if end != .max && now >= end { return missed(position, now: now) }
      if !table.isIdling(position) || table.terms[position]?.isDue == true { return .attend }
    }
    if table.isIdling(position) {
      table.now = now
      table.prolong(position)
    }
    if table.flags & PositionTable.recencyFlag != 0 { touch(position) }
    return .hit
  }

  private func missed(_ position: Int, now: Int64) -> Reading {
    let end = table.times.keptUntil(position)
    return end != .max && end <= now ? .leave(.expired) : .miss
  }
}
