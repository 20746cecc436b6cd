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
    keepExpired: Int64
  ) -> Bool {
    let old = table.terms[position]
    let deadline = min(now, self.deadline(position))
    let window = Lifetime.sum(now, max(0, staleIfError))
    let cut = min(old?.staleIfError ?? 0, window == .max ? .max : window - deadline)
    let end = max(Lifetime.sum(deadline, cut), Lifetime.sum(now, keepExpired))
    let keptUntil = min(self.keptUntil(position), end)
    if keptUntil <= now { return false }
    table.expire(position, deadline: deadline, keptUntil: keptUntil)
    table.setTerms(position, EntryTerms.expiredByHand(old, staleIfError: cut))
    return true
  }

  @usableFromInline
  mutating func postponeAttention(_ position: Int, until moment: Int64) {
    table.times.postponeAttention(position, until: moment)
  }
}
