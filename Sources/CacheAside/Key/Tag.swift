/// A label that many entries share, so that they can be expired or removed together.
///
/// Tags are compared like strings in Swift: canonically equal texts are one tag in every store.
/// A tag belongs to the feature whose entries carry it.
public struct Tag: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The tag's text, in normal form C.
  public let description: String

  /// Makes a tag.
  ///
  /// - Parameter text: its text; any length, any characters.
  public init(_ text: String) { description = Normalize.nfc(text) }

  /// Makes a tag from a literal.
  ///
  /// - Parameter value: its text.
  public init(stringLiteral value: String) { self.init(value) }
}
