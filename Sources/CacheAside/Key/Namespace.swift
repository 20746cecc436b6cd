/// A part of the key space: a feature's name with an optional version and scope.
@frozen
public struct Namespace: Hashable, Sendable, CustomStringConvertible {
  /// The printable form, unique for the name, version and scope.
  public let description: String

  /// Makes the namespace of a feature.
  ///
  /// - Parameters:
  ///   - name: the feature's name; any characters.
  ///   - version: a number to raise when what is stored changes its meaning.
  public init(_ name: String, version: Int? = nil) {
    description = version.map { "\(name)@\($0)" } ?? name
  }
}
