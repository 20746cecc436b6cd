// Whether a source is asked: closed (every load may ask), or open (a row of loads has failed, and one
// load at a time tries it). `SharedBreaker` is the only caller; it locks. Invariants: at most one load
// has the place of the one that tries; a load that is admitted while the breaker is closed is never
// called back; what does not end in a value or a counted error changes no count.

/// The state of a breaker: a function of what its loads came to, and of the time.
struct Breaker: Sendable {
  /// Who loads.
  typealias Load = ObjectIdentifier

  /// Whether a load may ask its source.
  enum Admission {
    case free
    /// It is the one that tries whether the source answers again.
    case probe
    case heldBack(any Error)
  }

  /// What a load's end has changed.
  enum Change { case none, opened, closed }

  /// Failed loads in a row.
  private(set) var failures = 0
  /// What the source failed with last; `nil` while the breaker is closed.
  private(set) var cause: (any Error)?
  /// From when on a load may try, in nanoseconds.
  private(set) var nextProbe = Int64.min
  private var probe: Load?

  /// Whether it says the same as a new one.
  var isFresh: Bool { failures == 0 && cause == nil }

  /// Whether a load would be held back that asks now.
  func holdsBack(_ now: Int64) -> Bool { cause != nil && now < nextProbe }

  /// Asks for a load.
  ///
  /// - Parameters:
  ///   - load: which one.
  ///   - now: the moment.
  ///   - pause: for how long it has the place of the one that tries, if it gets that.
  /// - Returns: whether it may ask its source.
  mutating func admit(_ load: Load, now: Int64, pause: Int64) -> Admission {
    guard let cause else { return .free }
    if probe == load { return .probe }
    if now < nextProbe { return .heldBack(cause) }
    probe = load
    nextProbe = Lifetime.sum(now, pause)
    return .probe
  }

  /// A load has ended with a value.
  mutating func succeed() -> Change {
    let change: Change = cause == nil ? .none : .closed
    self = Breaker()
    return change
  }

  /// A load has failed, after its retries.
  ///
  /// - Parameters:
  ///   - load: which one.
  ///   - error: what with.
  ///   - now: the moment.
  ///   - pause: for how long no load may try from now on.
  ///   - limit: how many in a row open the breaker; less than one counts as one.
  /// - Returns: whether that opened it.
  mutating func fail(
    _ load: Load,
    _ error: any Error,
    now: Int64,
    pause: Int64,
    limit: Int
  ) -> Change {
    if cause != nil {
      cause = error
      if probe == load { leave(until: Lifetime.sum(now, pause)) }
      return .none
    }
    failures += 1
    guard failures >= limit else { return .none }
    cause = error
    leave(until: Lifetime.sum(now, pause))
    return .opened
  }

  /// A load has ended in a way that says nothing about its source.
  ///
  /// It was cancelled, or failed with an error that does not count. If it was the one that tries,
  /// another may.
  mutating func end(_ load: Load) { if probe == load { leave(until: .min) } }

  private mutating func leave(until moment: Int64) {
    probe = nil
    nextProbe = moment
  }
}
