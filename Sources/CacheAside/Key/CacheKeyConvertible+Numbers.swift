extension CacheKeyConvertible where Self: FixedWidthInteger {
  /// Encodes the integer by value, so that equal integers of different types are equal.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(integer: self)
  }
}

extension CacheKeyConvertible where Self: FixedWidthInteger & Encodable {
  /// Encodes the integer by value, so that equal integers of different types are equal.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(integer: self)
  }
}

extension Int: ExactCacheKey {}
extension Int8: ExactCacheKey {}
extension Int16: ExactCacheKey {}
extension Int32: ExactCacheKey {}
extension Int64: ExactCacheKey {}
extension Int128: ExactCacheKey {}
extension UInt: ExactCacheKey {}
extension UInt8: ExactCacheKey {}
extension UInt16: ExactCacheKey {}
extension UInt32: ExactCacheKey {}
extension UInt64: ExactCacheKey {}
extension UInt128: ExactCacheKey {}

extension Bool: ExactCacheKey {
  /// Encodes the truth value.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(.bool, fixed: [self ? 1 : 0])
  }
}

extension Double: CacheKeyConvertible {
  /// The canonical form of the number.
  @inlinable public var keyIdentity: CanonicalFloat { CanonicalFloat(self) }

  /// Encodes the canonical form of the number.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(floating: keyIdentity)
  }
}

extension Float: CacheKeyConvertible {
  /// The canonical form of the number, that of a `Double` of the same value.
  @inlinable public var keyIdentity: CanonicalFloat { CanonicalFloat(Double(self)) }

  /// Encodes the canonical form of the number, that of a `Double` of the same value.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(floating: keyIdentity)
  }
}

extension Duration: ExactCacheKey {
  /// Encodes the length of time.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    let (seconds, attoseconds) = components
    encoder.append(list: [seconds, attoseconds], .duration)
  }
}
