/// A value that has expired and is still kept, and until when it may be served all the same.
struct Aged<Value: Sendable>: Sendable {
  private let fresh: Loaded<Value>
  /// Until when it may be served while it is loaded again, in monotonic nanoseconds like the other
  /// moments here.
  let revalidatesUntil: Int64
  /// Until when it may be served when a load fails.
  let helpsUntil: Int64
  /// What its entry carries.
  var terms: EntryTerms?

  // `windows` are what the entry was stored with, cut to what the policy allows.
  init(
    value: Value,
    source: Loaded<Value>.Source,
    storedAt: Int64,
    deadline: Int64,
    windows: StaleWindows
  ) {
    fresh = Loaded(value: value, source: source, storedAt: storedAt, deadline: deadline)
    revalidatesUntil = Lifetime.sum(deadline, windows.whileRevalidating)
    helpsUntil = Lifetime.sum(deadline, windows.ifError)
  }

  var value: Value { fresh.value }
  var source: Loaded<Value>.Source { fresh.source }
  var storedAt: Int64 { fresh.storedAt }
  /// When it stopped being fresh.
  var deadline: Int64 { fresh.deadline }

  /// Whether it may be served at once while it is loaded again.
  func revalidates(_ now: Int64) -> Bool { now < revalidatesUntil }

  /// Whether it may be served when a load fails.
  func helps(_ now: Int64) -> Bool { now < helpsUntil }

  /// Whether it may be served in any way, so that a failed load lets the producer rest.
  ///
  /// A value that is refreshed ahead of its end is.
  func isUsable(_ now: Int64) -> Bool { now < deadline || revalidates(now) || helps(now) }

  /// What a caller gets.
  ///
  /// - Parameter reason: why, although it has expired; `nil` when it is fresh.
  /// - Returns: the value.
  func loaded(_ reason: StaleReason?) -> Loaded<Value> {
    Loaded(
      value: value,
      source: source,
      storedAt: storedAt,
      deadline: deadline,
      stale: reason,
      terms: terms
    )
  }

  /// Whether it was removed by tag or scope since it was read.
  func isOut(_ core: FeatureCore) -> Bool { terms.map(core.stamps.isOut) ?? false }

  /// What a flight offers to those who do not wait for it, for as long as the policy allows it.
  func fallback(_ core: FeatureCore) -> @Sendable (StaleReason) -> Loaded<Value>? {
    { reason in
      let now = core.time.precise
      switch terms.map(core.stamps.verdict) ?? .current {
      case .current: break
      case .out: return nil
      case .expired: if reason == .revalidating { return nil }
      }
      // Fresh: it is loaded ahead of its end, and nobody has to wait for that.
      if now < deadline { return reason == .revalidating ? loaded(nil) : nil }
      return (reason == .revalidating ? revalidates(now) : helps(now)) ? loaded(reason) : nil
    }
  }
}
