/// What a flight ends with: a value, where it came from, and its life on the monotonic line.
///
/// One object for all who get it: passing it on takes one word, whatever the type of the value, in
/// the frames of those who wait for it, too.
final class Loaded<Value: Sendable>: Sendable {
  enum Source: Sendable {
    case memory
    case store(String)
    case produced
  }

  let value: Value
  let source: Source
  /// Monotonic nanoseconds.
  let storedAt: Int64
  /// The end of freshness, monotonic nanoseconds; not after `storedAt` when it was not stored.
  let deadline: Int64
  /// Why it is returned although it has expired; `nil` when it is fresh.
  let stale: StaleReason?

  /// What its entry carries; `nil` where nobody can invalidate it by tag or scope.
  let terms: EntryTerms?

  init(
    value: Value,
    source: Source,
    storedAt: Int64,
    deadline: Int64,
    stale: StaleReason? = nil,
    terms: EntryTerms? = nil
  ) {
    self.value = value
    self.source = source
    self.storedAt = storedAt
    self.deadline = deadline
    self.stale = stale
    self.terms = terms
  }

  /// The same with what its entry carries.
  func carrying(_ terms: EntryTerms?) -> Loaded {
    if terms === self.terms { return self }
    return Loaded(
      value: value,
      source: source,
      storedAt: storedAt,
      deadline: deadline,
      stale: stale,
      terms: terms
    )
  }

  var isFresh: Bool { stale == nil }

  /// Whether it is what a load came to that failed or took too long.
  var isFallback: Bool {
    stale == .loadFailed || stale == .softTimeout || stale == .hardTimeout
  }

  func outcome(joined: Bool, now: Int64) -> CacheOutcome<Value> {
    let source: CacheSource =
      switch self.source {
      case _ where stale != nil: .stale(stale ?? .anyAge)
      case .memory: .memory
      case .store(let name): .store(name)
      case .produced: joined ? .coalesced : .produced
      }
    let isProduced = if case .produced = self.source { true } else { false }
    return CacheOutcome(
      value: value,
      source: source,
      age: Self.age(storedAt, now),
      remainingLife: Self.remaining(deadline, now),
      isLoadedFromCache: !isProduced
    )
  }

  static func age(_ storedAt: Int64, _ now: Int64) -> Duration {
    .nanoseconds(max(0, now &- storedAt))
  }

  static func remaining(_ deadline: Int64, _ now: Int64) -> Duration? {
    deadline == .max ? nil : .nanoseconds(max(0, deadline &- now))
  }
}
