/// The encoded bytes of an argument, which stand for it in memory tables.
@frozen
public struct EncodedArgument: ExactCacheKey {
  /// One element.
  let bytes: [UInt8]

  /// Encodes a value.
  ///
  /// - Parameter value: the value.
  public init(_ value: some CacheKeyConvertible) {
    bytes = CacheKey.Encoder.bytes(of: value)
  }

  /// Encodes what the value encoded.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(element: bytes)
  }
}
