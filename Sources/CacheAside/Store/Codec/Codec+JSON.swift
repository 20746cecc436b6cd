extension Codec where Value: Codable {
  /// JSON text that gives back exactly what was encoded: dates, NaN and infinities included.
  ///
  /// A class instance must be of the static class itself: a subclass throws `CacheError` with the
  /// code `unsupportedType`, since its own properties would be lost.
  ///
  /// Records carry a fingerprint of the type's structure, found by decoding it once from neutral
  /// values, and are misses when it has changed.
  public static var json: Codec {
    Codec(identifier: .json, schema: .structure, encode: encodeJSON, decode: decodeJSON)
  }

  /// JSON text whose records carry a version instead of a fingerprint of the type's structure.
  ///
  /// For types that go on reading what older ones wrote, and for those whose `init(from:)` must not
  /// be run with neutral values.
  ///
  /// - Parameter version: the schema of the values; records of another number are misses.
  /// - Returns: the codec.
  public static func json(version: UInt32) -> Codec {
    Codec(
      identifier: .json,
      schema: .version(version),
      encode: encodeJSON,
      decode: decodeJSON
    )
  }
}

extension Codec {
  /// JSON for a type that turns out at run time to be `Codable`, or `nil` when it is not.
  static func automaticJSON() -> Codec? {
    guard decodable is any Encodable.Type else { return nil }
    return Codec(identifier: .json, schema: .structure, encode: encodeJSON, decode: decodeJSON)
  }

  @Sendable
  private static func encodeJSON(_ value: Value) throws -> [UInt8] {
    if let optional = value as? any AnyOptional {
      try checkWrappedClass(of: optional)
    } else {
      try checkClass(of: value)
    }
    guard let encodable = value as? any Encodable else { throw MistypedValue() }
    return try JSONCodec.encode(encodable)
  }

  @Sendable
  private static func decodeJSON(_ bytes: [UInt8]) throws -> Value {
    guard let type = decodable else { throw MistypedValue() }
    guard let value = present(try JSONCodec.decode(type, bytes)) else { throw MistypedValue() }
    return value
  }

  /// What the bytes are decoded as: the values' type, or what it wraps when it is an optional.
  private static var decodable: (any Decodable.Type)? {
    ((Value.self as? any AnyOptional.Type)?.wrappedType ?? Value.self) as? any Decodable.Type
  }

  /// A decoded value as `Value`, wrapped once when that is an optional.
  private static func present(_ decoded: some Any) -> Value? {
    guard let type = Value.self as? any AnyOptional.Type else { return decoded as? Value }
    return wrap(decoded, as: type) as? Value
  }

  private static func wrap<Optional: AnyOptional>(
    _ decoded: some Any,
    as type: Optional.Type
  ) -> Optional? {
    (decoded as? Optional.Wrapped).map(Optional.present)
  }

  private static func checkWrappedClass<Optional: AnyOptional>(of optional: Optional) throws {
    if let wrapped = optional.wrapped { try checkClass(of: wrapped) }
  }

  /// Refuses an instance of a subclass: only what its static class declares would come back.
  private static func checkClass<Some>(of value: Some) throws {
    guard Some.self is AnyClass else { return }
    let dynamic: Any.Type = type(of: value as Any)
    guard dynamic != Some.self else { return }
    throw CacheError(
      .unsupportedType,
      "a \(dynamic) cannot be stored as \(Some.self) without losing what the subclass adds; "
        + "cache the subclass itself, or pass a codec that writes which class it is"
    )
  }
}

/// A value is not of the type that its codec was made for.
struct MistypedValue: Error, CustomStringConvertible {
  var description: String { "the value is not of the type that its codec was made for" }
}
