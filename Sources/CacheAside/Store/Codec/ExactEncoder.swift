/// An encoder that boxes what is put into its containers.
struct ExactEncoder: Encoder {
  private let base: any Encoder

  init(_ base: any Encoder) { self.base = base }

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ExactKeyedEncoding(base: base.container(keyedBy: type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ExactUnkeyedEncoding(base: base.unkeyedContainer())
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ExactSingleValueEncoding(base: base.singleValueContainer())
  }
}

/// Boxes what is put under a key.
private struct ExactKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    if Exact<Value>.isPlain {
      try base.encode(value, forKey: key)
    } else {
      try base.encode(Exact(value), forKey: key)
    }
  }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return }
    // Where an optional may be missing, it is an optional of an optional.
    if Value.self is any AnyOptional.Type {
      try base.encode(Exact(Optional(value)), forKey: key)
    } else {
      try encode(value, forKey: key)
    }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      ExactKeyedEncoding<Nested>(base: base.nestedContainer(keyedBy: type, forKey: key))
    )
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ExactUnkeyedEncoding(base: base.nestedUnkeyedContainer(forKey: key))
  }

  mutating func superEncoder() -> any Encoder { ExactEncoder(base.superEncoder()) }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    ExactEncoder(base.superEncoder(forKey: key))
  }
}

/// Boxes the elements of a list.
private struct ExactUnkeyedEncoding: UnkeyedEncodingContainer {
  var base: any UnkeyedEncodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int { base.count }

  mutating func encodeNil() throws { try base.encodeNil() }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if Exact<Value>.isPlain { try base.encode(value) } else { try base.encode(Exact(value)) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(ExactKeyedEncoding<Nested>(base: base.nestedContainer(keyedBy: type)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ExactUnkeyedEncoding(base: base.nestedUnkeyedContainer())
  }

  mutating func superEncoder() -> any Encoder { ExactEncoder(base.superEncoder()) }
}

/// Boxes a value alone.
private struct ExactSingleValueEncoding: SingleValueEncodingContainer {
  var base: any SingleValueEncodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil() throws { try base.encodeNil() }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    if Exact<Value>.isPlain { try base.encode(value) } else { try base.encode(Exact(value)) }
  }
}
