/// The number of a codec in a record.
public struct CodecIdentifier: RawRepresentable, Hashable, Sendable {
  /// The number as it is written.
  public let rawValue: UInt16

  /// Makes an identifier from its number.
  ///
  /// - Parameter rawValue: the number; those below 256 belong to CacheAside.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Bytes as they are.
  public static let raw = CodecIdentifier(rawValue: 1)
  /// JSON text.
  public static let json = CodecIdentifier(rawValue: 2)
}
