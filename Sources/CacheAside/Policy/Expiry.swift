/// How long a value stays fresh after it was stored.
///
/// Lifetimes are half open: a value stored at `t` with `.seconds(10)` is fresh before `t + 10 s`
/// and expired from then on. Zero and negative lifetimes store nothing; callers still share the
/// load. Huge and infinite lifetimes never end.
public struct Expiry: Hashable, Sendable {
  /// What kind of lifetime it is.
  enum Kind: Hashable, Sendable {
    case never
    /// Nanoseconds after storing.
    case after(nanoseconds: Int64)
    /// Nanoseconds after the last read, and at most after storing.
    case idle(nanoseconds: Int64, maximum: Int64)
    /// Microseconds since 1970, UTC.
    case at(microseconds: Int64)
    /// Not a number: refused when used.
    case invalid
  }

  let kind: Kind

  /// Whether it is a length below zero, which stores nothing, like zero.
  var isNegative: Bool { if case .after(let nanoseconds) = kind { nanoseconds < 0 } else { false } }

  /// Fresh until removed or evicted.
  public static let never = Expiry(kind: .never)

  /// Fresh as long as it is read, and no longer than a maximum.
  ///
  /// The maximum is required: an entry that is read all the time would never be loaded again.
  ///
  /// - Parameters:
  ///   - interval: how long after its last read, or after it was stored, it stays fresh.
  ///   - maximum: how long after it was stored it stays fresh at most.
  /// - Returns: the lifetime.
  public static func idle(_ interval: Window, max maximum: Window) -> Expiry {
    Expiry(kind: .idle(nanoseconds: interval.nanoseconds, maximum: maximum.nanoseconds))
  }

  /// For a lifetime by reads: how long after a read it lasts, in nanoseconds.
  var idleInterval: Int64? {
    if case .idle(let interval, let maximum) = kind, interval < maximum { interval } else { nil }
  }

  /// Fresh for a duration.
  ///
  /// - Parameter duration: how long; zero or less stores nothing, the longest saturate to never.
  /// - Returns: the lifetime.
  public static func after(_ duration: Duration) -> Expiry {
    let nanoseconds = duration.wholeNanoseconds
    if nanoseconds == .max { return .never }
    // A positive lifetime below a nanosecond is still one, not "do not store".
    if nanoseconds == 0 && duration > .zero { return Expiry(kind: .after(nanoseconds: 1)) }
    return Expiry(kind: .after(nanoseconds: nanoseconds))
  }

  /// Fresh for some seconds.
  ///
  /// - Parameter seconds: how many, fractions count; infinite means never, and a value that is
  ///   not a number makes the call throw `CacheError` with the code `invalidExpiry`.
  /// - Returns: the lifetime.
  public static func seconds(_ seconds: Double) -> Expiry {
    if seconds.isNaN { return Expiry(kind: .invalid) }
    if seconds >= 9_223_372_036 { return .never }
    if seconds <= 0 { return Expiry(kind: .after(nanoseconds: seconds < 0 ? -1 : 0)) }
    return Expiry(kind: .after(nanoseconds: max(1, Int64(clamping: (seconds * 1e9).rounded()))))
  }

  /// Fresh for some milliseconds.
  ///
  /// - Parameter milliseconds: how many, as for ``seconds(_:)``.
  /// - Returns: the lifetime.
  public static func milliseconds(_ milliseconds: Double) -> Expiry {
    seconds(milliseconds / 1_000)
  }

  /// Fresh for some minutes.
  ///
  /// - Parameter minutes: how many, as for ``seconds(_:)``.
  /// - Returns: the lifetime.
  public static func minutes(_ minutes: Double) -> Expiry { seconds(minutes * 60) }

  /// Fresh for some hours.
  ///
  /// - Parameter hours: how many, as for ``seconds(_:)``.
  /// - Returns: the lifetime.
  public static func hours(_ hours: Double) -> Expiry { seconds(hours * 3_600) }

  /// Fresh for some days of 24 hours.
  ///
  /// - Parameter days: how many, as for ``seconds(_:)``.
  /// - Returns: the lifetime.
  public static func days(_ days: Double) -> Expiry { seconds(days * 86_400) }

  /// Fresh until a moment of the wall clock.
  ///
  /// - Parameter microseconds: microseconds since 1970-01-01T00:00:00Z; the bridge `.date(_:)`
  ///   takes a `Date`.
  /// - Returns: the lifetime.
  public static func at(microsecondsSince1970 microseconds: Int64) -> Expiry {
    Expiry(kind: .at(microseconds: microseconds))
  }
}
