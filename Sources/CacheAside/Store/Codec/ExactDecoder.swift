/// A decoder that reads what ``ExactEncoder`` wrote.
struct ExactDecoder: Decoder {
  private let base: any Decoder

  init(_ base: any Decoder) { self.base = base }

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ExactKeyedDecoding(base: try base.container(keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ExactUnkeyedDecoding(base: try base.unkeyedContainer())
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ExactSingleValueDecoding(base: try base.singleValueContainer())
  }
}

/// Reads what is under a key.
private struct ExactKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if Exact<Value>.isPlain { return try base.decode(type, forKey: key) }
    return try base.decode(Exact<Value>.self, forKey: key).value
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type,
    forKey key: Key
  ) throws -> Value? {
    if Exact<Value>.isPlain { return try base.decodeIfPresent(type, forKey: key) }
    if type is any AnyOptional.Type {
      guard base.contains(key) else { return nil }
      return try base.decode(Exact<Value?>.self, forKey: key).value
    }
    return try base.decodeIfPresent(Exact<Value>.self, forKey: key)?.value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      ExactKeyedDecoding<Nested>(base: try base.nestedContainer(keyedBy: type, forKey: key))
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    ExactUnkeyedDecoding(base: try base.nestedUnkeyedContainer(forKey: key))
  }

  func superDecoder() throws -> any Decoder { ExactDecoder(try base.superDecoder()) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ExactDecoder(try base.superDecoder(forKey: key))
  }
}

/// Reads the elements of a list.
private struct ExactUnkeyedDecoding: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if Exact<Value>.isPlain { return try base.decode(type) }
    return try base.decode(Exact<Value>.self).value
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    if Exact<Value>.isPlain { return try base.decodeIfPresent(type) }
    return try base.decodeIfPresent(Exact<Value>.self)?.value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      ExactKeyedDecoding<Nested>(base: try base.nestedContainer(keyedBy: type))
    )
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ExactUnkeyedDecoding(base: try base.nestedUnkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder { ExactDecoder(try base.superDecoder()) }
}

/// Reads a value alone.
private struct ExactSingleValueDecoding: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if Exact<Value>.isPlain { return try base.decode(type) }
    return try base.decode(Exact<Value>.self).value
  }
}
