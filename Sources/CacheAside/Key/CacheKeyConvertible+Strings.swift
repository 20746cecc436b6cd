extension String: ExactCacheKey {
  /// Encodes the string in normalisation form C.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(text: self)
  }
}

extension Substring: CacheKeyConvertible {
  /// The string of the same characters, which keeps no larger string alive.
  @inlinable public var keyIdentity: String { String(self) }

  /// Encodes the characters as a `String` encodes them.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(text: String(self))
  }
}

extension Character: ExactCacheKey {
  /// Encodes the character as a `String` of it encodes it.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(text: String(self))
  }
}

extension CacheKey: ExactCacheKey {
  /// Encodes the key with its namespace.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(.key, text: qualified)
  }
}
