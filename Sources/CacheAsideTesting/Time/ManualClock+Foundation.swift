#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ManualClock {
  /// The date on the wall hand.
  public var date: Date {
    Date(timeIntervalSince1970: Double(wallMicroseconds) / 1e6)
  }

  /// Sets the wall hand alone; the monotonic hand, ages and sleeps are as before.
  ///
  /// - Parameter date: the new date, rounded to microseconds; dates that do not fit saturate.
  public func setWall(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    setWall(Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
  }
}
