extension CacheKey: ExpressibleByStringLiteral {
  /// Makes a key of a text as it is.
  ///
  /// - Parameter value: the text.
  public init(stringLiteral value: String) { self.init(text: value, namespace: nil) }
}
