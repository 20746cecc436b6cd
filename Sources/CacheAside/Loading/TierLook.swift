/// What one tier has, as it is shown and as the engine would judge it.
struct TierLook<Value: Sendable>: Sendable {
  var shown: CacheExplanation.Tier
  var value: Aged<Value>?
  var loadTime: Int64 = 0

  var isFresh: Bool { shown.finding == .fresh && value != nil }
}

extension CacheExplanation.Tier {
  /// Shows what is left of the stale windows.
  mutating func show<Value>(_ aged: Aged<Value>, _ now: Int64) {
    func left(_ end: Int64) -> Duration? {
      guard end > max(now, aged.deadline) else { return nil }
      return .nanoseconds(end == .max ? .max : end - max(now, aged.deadline))
    }
    staleWhileRevalidate = left(aged.revalidatesUntil)
    staleIfError = left(aged.helpsUntil)
  }
}

extension Aged {
  /// A record's value as the engine sees it, on the monotonic line.
  init(
    value: Value,
    of record: CacheEntry,
    in tier: String,
    _ terms: LoadTerms,
    _ now: Moment
  ) {
    func monotonic(_ wall: Int64) -> Int64 {
      if wall == .max { return .max }
      let difference = Duration.microseconds(wall) - .microseconds(now.wall)
      return Lifetime.sum(now.monotonic, difference.wholeNanoseconds)
    }
    self.init(
      value: value,
      source: .store(tier),
      storedAt: monotonic(record.created),
      deadline: record.isExpiredByHand
        ? min(now.monotonic, monotonic(record.freshUntil)) : monotonic(record.freshUntil),
      windows: record.windows.capped(by: terms.windows)
    )
  }
}
