// Numbers that come from users, files and fractions: conversions and sums that end at the limits of
// a type instead of trapping.

extension FixedWidthInteger {
  /// The whole part of a number, the nearest limit when that does not fit, zero when it is none.
  init(clamping number: Double) {
    let nearest: Self = number.isNaN ? 0 : number < 0 ? .min : .max
    self = Self(exactly: number.rounded(.towardZero)) ?? nearest
  }

  /// The sum with another number, or the limit that it passes.
  func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
