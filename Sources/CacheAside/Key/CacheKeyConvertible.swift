/// A type whose values can be arguments of a cached function or parts of a key.
///
/// Integers, `Bool`, floating point, strings, optionals, arrays, sets, dictionaries, ranges,
/// `Duration`, and Foundation's `UUID`, `Date`, `URL`, `Data` and `Decimal` conform. Types with a
/// raw value and `Codable` types need only to say that they conform:
///
/// ```swift
/// enum Sort: String, CacheKeyConvertible { case newest, oldest }
/// struct Query: Codable, Hashable, CacheKeyConvertible { var words: Set<String>; var page: Int }
/// ```
///
/// Other types implement ``encode(into:)``. A `Codable` type's properties are then written in the
/// order of their names, and sets and dictionaries in it in the order of their encoded elements;
/// an `encode(to:)` of your own that walks an unordered collection itself must sort it.
///
/// Equal values must give equal bytes. Integers go by value: `Int` 1 and `UInt8` 1 are the same
/// part. `Float` and `Double` of equal value are the same, -0.0 is 0.0 and every NaN is one. A
/// value and the optional of it are the same; `nil` is different from all values.
public protocol CacheKeyConvertible: Hashable, Sendable {
  /// What stands for a value in a memory table: a type whose `==` says exactly whether two values
  /// give the same key bytes.
  ///
  /// It follows from the other conformances: the type itself for ``ExactCacheKey``, the raw value
  /// for types that have one, ``CanonicalFloat`` for floating point, ``EncodedArgument`` for the
  /// rest.
  associatedtype KeyIdentity: CacheKeyConvertible = EncodedArgument
  where KeyIdentity.KeyIdentity == KeyIdentity

  /// What stands for this value in a memory table.
  ///
  /// Its key bytes are those of the value.
  var keyIdentity: KeyIdentity { get }

  /// Encodes what identifies the value.
  ///
  /// It is called wherever a key is derived, never under a lock.
  ///
  /// - Parameter encoder: where to.
  func encode(into encoder: inout CacheKey.Encoder)
}

extension CacheKeyConvertible {
  /// The encoded bytes of this value.
  public var keyIdentity: EncodedArgument { EncodedArgument(self) }
}

extension CacheKeyConvertible where Self: RawRepresentable, RawValue: CacheKeyConvertible {
  /// What stands for the raw value.
  @inlinable public var keyIdentity: RawValue.KeyIdentity { rawValue.keyIdentity }

  /// Encodes the raw value.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.encode(rawValue)
  }
}

extension CacheKeyConvertible where Self: Encodable {
  /// Encodes the properties in a canonical form.
  ///
  /// A value whose `encode(to:)` throws equals no other value: a call with it is never a hit.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.append(encodable: self)
  }
}

extension CacheKeyConvertible
where Self: RawRepresentable & Encodable, RawValue: CacheKeyConvertible {
  /// Encodes the raw value.
  ///
  /// - Parameter encoder: where to.
  public func encode(into encoder: inout CacheKey.Encoder) {
    encoder.encode(rawValue)
  }
}
