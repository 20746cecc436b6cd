/// A type whose own `encode(to:)` is unordered or ambiguous.
protocol CanonicallyEncodable {
  /// The canonical form.
  ///
  /// - Returns: one element.
  /// - Throws: what the `encode(to:)` of a part throws.
  func canonicalElement() throws -> [UInt8]
}

extension Set: CanonicallyEncodable where Element: Encodable {
  func canonicalElement() throws -> [UInt8] {
    var encoder = CacheKey.Encoder()
    encoder.append(set: try map { try CanonicalEncoder.node(of: $0, at: []).bytes() })
    return encoder.bytes
  }
}

extension Dictionary: CanonicallyEncodable where Key: Encodable, Value: Encodable {
  func canonicalElement() throws -> [UInt8] {
    var encoder = CacheKey.Encoder()
    encoder.append(
      dictionary: try map {
        (
          try CanonicalEncoder.node(of: $0.key, at: []).bytes(),
          try CanonicalEncoder.node(of: $0.value, at: []).bytes()
        )
      }
    )
    return encoder.bytes
  }
}

extension Optional: CanonicallyEncodable where Wrapped: Encodable {
  func canonicalElement() throws -> [UInt8] {
    try CacheKey.Encoder.optional(map { try CanonicalEncoder.node(of: $0, at: []).bytes() })
  }
}
