#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID {
  /// The sixteen bytes.
  var keyBytes: [UInt8] {
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid
    return [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
  }
}

extension UUID: ExactCacheKey {
  /// Encodes the sixteen bytes.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(.uuid, fixed: keyBytes)
  }
}

extension URL: CacheKeyConvertible {
  /// Encodes the absolute string: a relative URL is the same as the absolute one it stands for.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(.url, text: absoluteString)
  }
}

extension Date: CacheKeyConvertible {
  /// Encodes the seconds since 2001, exactly.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    let seconds = CanonicalFloat(timeIntervalSinceReferenceDate)
    encoder.append(.date, fixed: CacheKey.Encoder.bigEndian(seconds.bitPattern))
  }
}

extension Data: CacheKeyConvertible {
  /// Encodes the bytes.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.encode(bytes: self)
  }
}

extension Decimal: CacheKeyConvertible {
  /// Encodes the value, whatever its scale: 1.0 and 1.00 are the same.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    var digits = Array((isNaN ? "NaN" : description).utf8)
    if digits.contains(0x2E) {
      while digits.last == 0x30 { digits.removeLast() }
      if digits.last == 0x2E { digits.removeLast() }
    }
    if digits == Array("-0".utf8) { digits.removeFirst() }
    encoder.append(.decimal, digits)
  }
}
