// Numbers that come from users, files and fractions: conversions and sums that end at the limits of
// a type instead of trapping. The conversions are written for the two types that need them: through
// a protocol they cost hundreds of instructions.

extension FixedWidthInteger {
  /// The sum with another number, or the limit that it passes.
  func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

extension Int64 {
  /// The whole part of a number, the nearest limit when that does not fit, zero when it is none.
  init(clamping number: Double) {
    if number >= 0x1p63 {
      self = .max
    } else if number > -0x1p63 {
      self.init(number)
    } else {
      self = number.isNaN ? 0 : .min
    }
  }
}

extension Int {
  /// The same.
  init(clamping number: Double) { self.init(clamping: Int64(clamping: number)) }
}
