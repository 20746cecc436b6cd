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
    // One from the future is expired; when that began, nobody knows, so that no window follows.
    let isFromTheFuture = Lifetime.isFromTheFuture(created: record.created, wall: now.wall)
    // Within the skew, too, it is not fresh for longer than it was stored for.
    let early = Lifetime.length(from: now.wall, to: record.created)
    let end = now.monotonic(
      of: record.freshUntil == .max ? .max : Lifetime.sum(record.freshUntil, -early)
    )
    self.init(
      value: value,
      source: .store(tier),
      storedAt: min(now.monotonic, now.monotonic(of: record.created)),
      deadline: isFromTheFuture || record.isExpiredByHand ? min(now.monotonic, end) : end,
      windows: isFromTheFuture ? .none : record.windows.capped(by: terms.windows)
    )
  }
}
