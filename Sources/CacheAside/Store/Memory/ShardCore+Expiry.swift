// Expiry by hand and moments of attention, under the shard's lock.

extension ShardCore {
  /// Ends the freshness of a resident entry by hand; returns whether it is still kept.
  ///
  /// The stale window becomes no longer than it was, and ends no later than the given length from
  /// now on.
  @usableFromInline
  mutating func expire(
    _ position: Int,
    at now: Int64,
    staleIfError: Int64,
    keepExpired: Int64,
    begun: UInt64? = nil
  ) -> Bool {
    let old = table.terms[position]
    let deadline = min(now, self.deadline(position))
    let window = Lifetime.sum(now, max(0, staleIfError))
    let cut = min(old?.staleIfError ?? 0, window == .max ? .max : window - deadline)
    let end = max(Lifetime.sum(deadline, cut), Lifetime.sum(now, keepExpired))
    let keptUntil = min(self.keptUntil(position), end)
    if keptUntil <= now { return false }
    table.expire(position, deadline: deadline, keptUntil: keptUntil)
    table.setTerms(position, EntryTerms.expiredByHand(old, staleIfError: cut, begun: begun))
    return true
  }

  /// Does to a resident entry what invalidations by tag or namespace have decided about it.
  ///
  /// - Returns: why it must leave; `nil` when it stays, if need be expired by hand.
  @usableFromInline
  mutating func settle(_ position: Int) -> RemovalReason? {
    guard table.flags & PositionTable.staleFlag != 0, let terms = table.terms[position] else {
      return nil
    }
    switch table.stamps?.verdict(terms) ?? .current {
    case .current: return nil
    case .out: return .invalidated
    case .expired(let expiry, upTo: let sequence):
      let isKept = expire(
        position,
        at: expiry.now.monotonic,
        staleIfError: expiry.staleIfError,
        keepExpired: expiry.kept,
        begun: sequence
      )
      return isKept ? nil : .expired
    }
  }

  /// Makes the next read of a fresh entry look at it, so that it is loaded again.
  mutating func markDue(_ position: Int, now: Int64) {
    let deadline = self.deadline(position)
    if deadline != .max && deadline <= now { return }
    table.setTerms(position, EntryTerms.due(table.terms[position]))
    table.attend(position, from: now)
  }

  @usableFromInline
  mutating func postponeAttention(_ position: Int, until moment: Int64) {
    table.times.postponeAttention(position, until: moment)
  }
}
