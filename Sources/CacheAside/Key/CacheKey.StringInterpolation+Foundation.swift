#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CacheKey.StringInterpolation {
  /// Appends a UUID in lower case.
  ///
  /// - Parameter value: the identifier.
  public mutating func appendInterpolation(_ value: UUID) {
    appendLiteral(KeyPart.uuid(value.keyBytes))
  }

  /// Appends the absolute string of a URL, escaped.
  ///
  /// - Parameter value: the URL.
  public mutating func appendInterpolation(_ value: URL) {
    appendInterpolation(value.absoluteString)
  }
}
