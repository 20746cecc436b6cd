/// A floating-point number as a key: -0.0 is 0.0 and every NaN is one.
@frozen
public struct CanonicalFloat: ExactCacheKey {
  /// The bit pattern of the canonical `Double`.
  public let bitPattern: UInt64

  /// Makes the canonical form of a number.
  ///
  /// - Parameter value: any number.
  @inlinable
  public init(_ value: Double) {
    bitPattern = value.isNaN ? 0x7FF8_0000_0000_0000 : (value == 0 ? 0 : value.bitPattern)
  }

  /// Encodes the number.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(floating: self)
  }

  /// Whether two numbers are the same key.
  ///
  /// - Parameters:
  ///   - lhs: one number.
  ///   - rhs: the other.
  /// - Returns: whether they are equal.
  @inlinable
  public static func == (lhs: CanonicalFloat, rhs: CanonicalFloat) -> Bool {
    lhs.bitPattern == rhs.bitPattern
  }

  /// Feeds the number into a hasher.
  ///
  /// - Parameter hasher: where to.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bitPattern)
  }
}
