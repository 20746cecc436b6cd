// Lifetimes as pure arithmetic: lengths and times in, deadlines out. No clock is read here.
//
// Two time lines: in memory, monotonic nanoseconds that count system sleep; in records, UTC
// microseconds. An instant of `Int64.max` on either line never comes. All sums saturate.

/// The present on both time lines, read once for one decision.
struct Moment: Hashable, Sendable {
  /// Monotonic nanoseconds.
  var monotonic: Int64
  /// Microseconds since 1970, UTC.
  var wall: Int64

  init(monotonic: Int64, wall: Int64) {
    self.monotonic = monotonic
    self.wall = wall
  }
}

/// How long a value or record is fresh from some moment on.
struct Lifetime: Hashable, Sendable {
  /// A record stamped further in the future than this was written by a wrong clock: 5 s, in µs.
  static let skew: Int64 = 5_000_000

  /// Nanoseconds of freshness from the moment on; zero or less stores nothing, `max` never ends.
  let remaining: Int64

  init(remaining: Int64) { self.remaining = remaining }

  /// The life that is left to a record: until its end of freshness.
  init(freshUntil: Int64, wall: Int64) {
    let length = Self.length(from: wall, to: freshUntil)
    remaining = length > .max / 1_000 ? .max : length * 1_000
  }

  /// Whether a value may be stored at all.
  var isPositive: Bool { remaining > 0 }

  /// The end of freshness on the monotonic line.
  func deadline(from monotonic: Int64) -> Int64 { Self.sum(monotonic, remaining) }

  /// The end of freshness on the wall line; rounds up, so that no life is lost.
  func freshUntil(from wall: Int64) -> Int64 {
    remaining == .max || wall == .max
      ? .max : Self.sum(wall, remaining / 1_000 + (remaining % 1_000 > 0 ? 1 : 0))
  }

  /// A saturating sum of an instant and a length, both without end at `max`.
  static func sum(_ instant: Int64, _ length: Int64) -> Int64 {
    if instant == .max || length == .max { return .max }
    let (sum, overflow) = instant.addingReportingOverflow(length)
    return overflow ? (length > 0 ? .max : .min) : sum
  }

  /// How long it is from an instant to a later one; zero when it is earlier, without end when it
  /// never comes.
  static func length(from start: Int64, to end: Int64) -> Int64 {
    if end == .max { return .max }
    let (length, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? (end > start ? .max : 0) : max(0, length)
  }

  /// How far two instants are from each other.
  static func distance(_ one: Int64, _ other: Int64) -> UInt64 {
    UInt64(bitPattern: max(one, other) &- min(one, other))
  }

  /// Whether a record that was stored then was written by a wrong clock.
  static func isFromTheFuture(created: Int64, wall: Int64) -> Bool {
    created > sum(wall, skew)
  }
}
