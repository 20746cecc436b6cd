// Raw values, for types that are not `CacheKeyConvertible` themselves and for those that are.

extension CacheKey.StringInterpolation {
  /// Appends the raw value.
  ///
  /// - Parameter value: a value with a raw value that can be part of a key.
  @inlinable
  public mutating func appendInterpolation<T: RawRepresentable>(_ value: T)
  where T.RawValue: CacheKeyConvertible {
    appendInterpolation(value.rawValue)
  }

  /// Appends the raw value, or `%-`.
  ///
  /// - Parameter value: a value with a raw value that can be part of a key, or `nil`.
  @inlinable
  public mutating func appendInterpolation<T: RawRepresentable>(_ value: T?)
  where T.RawValue: CacheKeyConvertible {
    appendEncoded(value?.rawValue)
  }

  /// Appends a value that says itself how it becomes part of a key.
  ///
  /// - Parameter value: the value.
  @inlinable
  public mutating func appendInterpolation<T: RawRepresentable & CacheKeyConvertible>(_ value: T)
  where T.RawValue: CacheKeyConvertible {
    appendEncoded(value)
  }

  /// Appends a value that says itself how it becomes part of a key, or `%-`.
  ///
  /// - Parameter value: the value, or `nil`.
  @inlinable
  public mutating func appendInterpolation<T: RawRepresentable & CacheKeyConvertible>(_ value: T?)
  where T.RawValue: CacheKeyConvertible {
    appendEncoded(value)
  }
}
