extension Codec where Value: Codable {
  /// JSON text that gives back exactly what was encoded: dates, NaN, infinities, relative URLs and
  /// nested optionals included.
  ///
  /// A class instance must be of the static class itself: a subclass throws `CacheError` with the
  /// code `unsupportedType`, since its own properties would be lost.
  ///
  /// Records carry a fingerprint of the type's structure, the keys and what is stored under them, and
  /// are misses when it has changed.
  public static var json: Codec {
    Codec(identifier: .json, schema: .structure, encode: encodeJSON, decode: decodeJSON)
  }

  /// JSON text whose records carry a version instead of a fingerprint of the type's structure.
  ///
  /// For types that go on reading what older ones wrote, and for those whose structure cannot be seen.
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

  /// An optional is encoded as what it wraps, since it is decoded so.
  @Sendable
  private static func encodeJSON(_ value: Value) throws -> [UInt8] {
    guard let type = Value.self as? any AnyOptional.Type else { return try encodeBare(value) }
    return try encodeWrapped(value, as: type)
  }

  private static func encodeWrapped<Optional: AnyOptional>(
    _ value: Value,
    as type: Optional.Type
  ) throws -> [UInt8] {
    guard let wrapped = SameType.view(value, as: type)?.wrapped else { throw MistypedValue() }
    return try encodeBare(wrapped)
  }

  private static func encodeBare<Some>(_ value: Some) throws -> [UInt8] {
    try checkClass(of: value)
    guard UncodableType.canEncode(Some.self), let type = Some.self as? any Encodable.Type else {
      throw UncodableType(Some.self)
    }
    return try encode(value, as: type)
  }

  private static func encode<Known: Encodable>(
    _ value: some Any,
    as type: Known.Type
  ) throws -> [UInt8] {
    guard let value = SameType.view(value, as: type) else { throw MistypedValue() }
    return try JSONCodec.encode(value)
  }

  @Sendable
  private static func decodeJSON(_ bytes: [UInt8]) throws -> Value {
    guard let type = decodable else { throw UncodableType(Value.self) }
    return try decode(bytes, as: type)
  }

  private static func decode<Known: Decodable>(
    _ bytes: [UInt8],
    as type: Known.Type
  ) throws -> Value {
    guard UncodableType.canDecode(type) else { throw UncodableType(type) }
    guard let value = present(try JSONCodec.decode(type, bytes)) else { throw MistypedValue() }
    return value
  }

  /// What the bytes are decoded as: the values' type, or what it wraps when it is an optional.
  private static var decodable: (any Decodable.Type)? {
    ((Value.self as? any AnyOptional.Type)?.wrappedType ?? Value.self) as? any Decodable.Type
  }

  /// A decoded value as `Value`, wrapped once when that is an optional.
  private static func present(_ decoded: some Any) -> Value? {
    guard let type = Value.self as? any AnyOptional.Type else {
      return SameType.view(decoded, as: Value.self)
    }
    return wrap(decoded, as: type)
  }

  private static func wrap<Optional: AnyOptional>(
    _ decoded: some Any,
    as type: Optional.Type
  ) -> Value? {
    SameType.view(decoded, as: Optional.Wrapped.self)
      .flatMap { SameType.view(Optional.present($0), as: Value.self) }
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
