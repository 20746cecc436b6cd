/// Whether an entry may be used: a pure function of its times and now.
enum Freshness: Hashable, Sendable {
  /// May be returned by every read.
  case fresh
  /// Only for reads that ask for any age.
  case expired
  /// To be treated as absent, and deleted.
  case gone

  /// Judges a record of a store.
  ///
  /// - Parameters:
  ///   - created: when it was stored, UTC microseconds.
  ///   - freshUntil: when it stops being fresh.
  ///   - keptUntil: when it may be deleted.
  ///   - isExpiredByHand: whether `expire` was called on it.
  ///   - wall: now, UTC microseconds.
  init(created: Int64, freshUntil: Int64, keptUntil: Int64, isExpiredByHand: Bool, wall: Int64) {
    let isFromTheFuture = Lifetime.isFromTheFuture(created: created, wall: wall)
    if wall < freshUntil && !isExpiredByHand && !isFromTheFuture {
      self = .fresh
    } else if wall < keptUntil {
      self = .expired
    } else {
      self = .gone
    }
  }
}
