/// A length of time that adds to a lifetime.
///
/// A type of its own, because `Duration` has no minutes and hours, and adding them there could
/// collide with a client's extension.
public struct Window: Hashable, Sendable, Comparable {
  /// The length in nanoseconds; `Int64.max` means without end.
  let nanoseconds: Int64

  init(nanoseconds: Int64) { self.nanoseconds = max(0, nanoseconds) }

  /// No time at all.
  public static let zero = Window(nanoseconds: 0)

  /// Without end.
  public static let unlimited = Window(nanoseconds: .max)

  /// A window of some seconds.
  ///
  /// - Parameter seconds: how many, fractions count; negative and not-a-number mean zero, huge
  ///   and infinite mean without end.
  /// - Returns: the window.
  public static func seconds(_ seconds: Double) -> Window {
    if seconds.isNaN || seconds <= 0 { return .zero }
    if seconds >= 9_223_372_036 { return .unlimited }
    return Window(nanoseconds: Int64(clamping: (seconds * 1e9).rounded()))
  }

  /// A window of some minutes.
  ///
  /// - Parameter minutes: how many, as for ``seconds(_:)``.
  /// - Returns: the window.
  public static func minutes(_ minutes: Double) -> Window { seconds(minutes * 60) }

  /// A window of some hours.
  ///
  /// - Parameter hours: how many, as for ``seconds(_:)``.
  /// - Returns: the window.
  public static func hours(_ hours: Double) -> Window { seconds(hours * 3_600) }

  /// A window of some days of 24 hours.
  ///
  /// - Parameter days: how many, as for ``seconds(_:)``.
  /// - Returns: the window.
  public static func days(_ days: Double) -> Window { seconds(days * 86_400) }

  /// Whether one window is shorter than another.
  ///
  /// - Parameters:
  ///   - lhs: one.
  ///   - rhs: the other.
  /// - Returns: whether the first is shorter.
  public static func < (lhs: Window, rhs: Window) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}
