/// The end of an entry's freshness by hand: when, and how long it is kept from then on.
struct HandExpiry: Hashable, Sendable {
  var now: Moment
  /// How long it may be served when a load fails, in nanoseconds; at most as long as it was stored
  /// with.
  let staleIfError: Int64
  /// How long it is kept beyond that for reads that ask for any age.
  let keepExpired: Int64

  /// How long it is kept in all.
  var kept: Int64 { Lifetime.sum(staleIfError, keepExpired) }

  /// A record after it was expired; `nil` when it is kept no longer.
  ///
  /// It is never served while it is loaded again, and nothing is prolonged.
  func applied(to record: CacheEntry) -> CacheEntry? {
    var record = record
    let window = min(staleIfError, record.windows.ifError)
    let stored = record.freshUntil == .max ? .max : record.metadata.staleIfErrorEnd ?? .min
    let end = min(stored, later(window))
    record.isExpiredByHand = true
    record.freshUntil = min(record.freshUntil, now.wall)
    record.keptUntil = min(record.keptUntil, later(kept))
    record.metadata.staleWhileRevalidateEnd = nil
    record.metadata.staleIfErrorEnd = end > now.wall ? end : nil
    return record.keptUntil > now.wall ? record : nil
  }

  /// This and another, each at its earliest and for its shortest.
  func shorter(_ other: HandExpiry) -> HandExpiry {
    HandExpiry(
      now: Moment(
        monotonic: min(now.monotonic, other.now.monotonic),
        wall: min(now.wall, other.now.wall)
      ),
      staleIfError: min(staleIfError, other.staleIfError),
      keepExpired: min(keepExpired, other.keepExpired)
    )
  }

  private func later(_ length: Int64) -> Int64 {
    Lifetime(remaining: length).freshUntil(from: now.wall)
  }
}
