extension Lifetime {
  /// Refuses an expiry that is not a number.
  ///
  /// - Parameters:
  ///   - expiry: the expiry.
  ///   - setting: what it was given for, for the error.
  /// - Throws: `CacheError` with the code `invalidExpiry`.
  static func check(_ expiry: Expiry, of setting: String) throws {
    guard case .invalid = expiry.kind else { return }
    throw CacheError(
      .invalidExpiry,
      "\(setting) is not a number; allowed are a finite or infinite number of seconds, and .never"
    )
  }

  /// Resolves an expiry.
  ///
  /// - Throws: `CacheError` with the code `invalidExpiry` for a lifetime that is not a number.
  init(_ expiry: Expiry, wall: Int64) throws {
    switch expiry.kind {
    case .never: remaining = .max
    case .after(let nanoseconds): remaining = max(0, nanoseconds)
    case .idle(let interval, let maximum): remaining = interval <= 0 ? 0 : max(0, maximum)
    case .at(let microseconds):
      let (difference, overflow) = microseconds.subtractingReportingOverflow(wall)
      if overflow {
        remaining = microseconds > 0 ? .max : 0
      } else if difference <= 0 {
        remaining = 0
      } else {
        remaining = difference > .max / 1_000 ? .max : difference * 1_000
      }
    case .invalid:
      throw CacheError(
        .invalidExpiry,
        "the expiry is not a number; use a finite or infinite number of seconds, or .never"
      )
    }
  }
}
