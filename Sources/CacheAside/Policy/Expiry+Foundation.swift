#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Expiry {
  /// Fresh until a date.
  ///
  /// - Parameter date: the first moment at which the value is expired; a date that has passed
  ///   stores nothing.
  /// - Returns: the lifetime.
  public static func date(_ date: Date) -> Expiry {
    let microseconds = date.timeIntervalSince1970 * 1e6
    if microseconds.isNaN { return Expiry(kind: .invalid) }
    if microseconds >= 9.2e18 { return .never }
    if microseconds <= -9.2e18 { return Expiry(kind: .at(microseconds: .min)) }
    return Expiry(kind: .at(microseconds: Int64(clamping: microseconds.rounded())))
  }

  /// Fresh until a date; the same as ``date(_:)``.
  ///
  /// - Parameter date: the first moment at which the value is expired.
  /// - Returns: the lifetime.
  public static func at(_ date: Date) -> Expiry { .date(date) }
}
