// How a record's times move together. All sums saturate, so that no record, whatever its times are, can
// make one trap.
extension CacheEntry {
  /// How long it is kept after the end of its freshness, in nanoseconds.
  var kept: Int64 {
    freshUntil == .max
      ? metadata.number(.keptAfterEnd) ?? 0
      : Lifetime(freshUntil: keptUntil, wall: freshUntil).remaining
  }

  /// Puts the time that it is kept after the end of its freshness.
  mutating func setKept(_ length: Int64) {
    keptUntil = Lifetime(remaining: length).freshUntil(from: freshUntil)
    metadata.setNumber(freshUntil == .max && length > 0 ? length : nil, .keptAfterEnd)
  }

  /// Ends freshness earlier; what follows the end moves along with it.
  mutating func endFreshness(at end: Int64) {
    guard end < freshUntil else { return }
    let (windows, kept) = (windows, kept)
    freshUntil = end
    keptUntil = min(keptUntil, Lifetime(remaining: kept).freshUntil(from: end))
    setWindows(windows)
  }

  /// How long ago it was stored.
  func age(at wall: Int64) -> Duration {
    .microseconds(Lifetime.length(from: created, to: wall))
  }
}
