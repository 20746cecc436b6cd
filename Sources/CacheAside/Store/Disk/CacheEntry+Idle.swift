// Idle expiry of records: the file's access time is the last read.
//
// An entry stays fresh for its idle interval after the last read, and at most until its end. A read
// writes the access time when more than a quarter of the interval (or ten minutes, if that is less)
// has passed since, so that the entry may end that much earlier, never later. The access time counts
// from the moment the entry was stored up to now: whatever else sets it can neither revive an entry
// nor keep it beyond one interval. Where it cannot be set, the entry ends as if it was never read.
extension CacheEntry {
  /// When the entry ends by idleness; `nil` when it does not.
  func idleEnd(lastUse: Int64, now: Int64) -> Int64? {
    guard let interval = metadata.idleInterval, interval > 0 else { return nil }
    let start = max(created, min(lastUse, now))
    return Lifetime(remaining: interval).freshUntil(from: start)
  }

  /// Ends the entry's freshness if it is over by idleness; what follows the end moves along with it.
  mutating func endIdle(lastUse: Int64, now: Int64) {
    guard let end = idleEnd(lastUse: lastUse, now: now), end <= now else { return }
    endFreshness(at: end)
  }

  /// Ends the entry when it will be over by idleness if nobody reads it any more.
  mutating func endWhenUnused(since lastUse: Int64, _ now: Int64) {
    guard let end = idleEnd(lastUse: lastUse, now: now) else { return }
    endFreshness(at: end)
  }

  /// How old the access time may get before a read writes it, in microseconds.
  var useInterval: Int64 {
    guard let interval = metadata.idleInterval, interval > 0 else {
      return DiskStore.recencyInterval
    }
    return min(DiskStore.recencyInterval, max(1, interval / 4_000))
  }
}
