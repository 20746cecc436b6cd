extension Optional: CacheKeyConvertible where Wrapped: CacheKeyConvertible {
  /// What stands for the value, or `nil`.
  @inlinable public var keyIdentity: Wrapped.KeyIdentity? { map(\.keyIdentity) }

  /// Encodes the value as if it were not optional, or `nil`.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(optional: self)
  }
}

extension Array: CacheKeyConvertible where Element: CacheKeyConvertible {
  /// Encodes the elements in their order.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(list: self)
  }
}

extension ArraySlice: CacheKeyConvertible where Element: CacheKeyConvertible {
  /// Encodes the elements as an `Array` of them.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(list: self)
  }
}

extension Set: CacheKeyConvertible where Element: CacheKeyConvertible {
  /// Encodes the elements ordered by their encoded bytes.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(set: map { CacheKey.Encoder.bytes(of: $0) })
  }
}

extension Dictionary: CacheKeyConvertible
where Key: CacheKeyConvertible, Value: CacheKeyConvertible {
  /// Encodes keys and values ordered by the encoded bytes of the keys.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(
      dictionary: map {
        (CacheKey.Encoder.bytes(of: $0.key), CacheKey.Encoder.bytes(of: $0.value))
      }
    )
  }
}

extension Range: CacheKeyConvertible where Bound: CacheKeyConvertible {
  /// Encodes the bounds.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(list: [lowerBound, upperBound], .range)
  }
}

extension ClosedRange: CacheKeyConvertible where Bound: CacheKeyConvertible {
  /// Encodes the bounds.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(list: [lowerBound, upperBound], .closedRange)
  }
}
