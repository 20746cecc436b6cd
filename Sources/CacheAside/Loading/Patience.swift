/// Until when a caller waits, in nanoseconds of the monotonic clock; `max` is without end.
struct Patience: Sendable {
  /// The moment from which it takes something older.
  let soft: Int64
  /// The moment from which it waits no more.
  let hard: Int64

  /// The patience of a call that begins now; `nil` if it is without end.
  ///
  /// - Parameters:
  ///   - limits: for how long it waits.
  ///   - time: the clock, read only if there is an end.
  init?(_ limits: LoadLimits, _ time: TimeSource) {
    guard limits.hasPatience else { return nil }
    let now = time.precise
    soft = Lifetime.sum(now, limits.soft)
    hard = Lifetime.sum(now, limits.hard)
  }
}
