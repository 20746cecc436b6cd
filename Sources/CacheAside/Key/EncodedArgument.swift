/// The encoded bytes of an argument, which stand for it in memory tables.
@frozen
public struct EncodedArgument: ExactCacheKey {
  /// One element.
  @usableFromInline let bytes: [UInt8]

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

  /// Whether two arguments have the same bytes.
  ///
  /// - Parameters:
  ///   - lhs: one argument.
  ///   - rhs: the other.
  /// - Returns: whether they are equal.
  @inlinable
  public static func == (lhs: EncodedArgument, rhs: EncodedArgument) -> Bool {
    lhs.bytes == rhs.bytes
  }

  /// Feeds the bytes into a hasher.
  ///
  /// - Parameter hasher: where to.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}
