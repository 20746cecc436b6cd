/// The identity of a cached value: a printable text inside a namespace.
@frozen
public struct CacheKey: Hashable, Sendable {
  /// The text of the key, without its namespace.
  public let text: String

  /// Where the key lives; `nil` until a feature puts it into its own namespace.
  public let namespace: Namespace?

  @inlinable
  init(text: String, namespace: Namespace?) {
    self.text = text
    self.namespace = namespace
  }

  /// This key inside a namespace.
  ///
  /// - Parameter namespace: the feature's namespace.
  /// - Returns: the key that stores see.
  public func within(_ namespace: Namespace) -> CacheKey {
    CacheKey(text: text, namespace: namespace)
  }

  /// The one printable form: `namespace:text`, or the text alone.
  public var qualified: String {
    guard let namespace else { return text }
    return namespace.description + ":" + text
  }
}
