/// The schema probe's keyed container: every key is there, and no value is given.
struct ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ProbeDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.probe.keys(Key.self, of: decoder.definition) }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool {
    try decoder.note(place(key) + "?")
    throw SchemaProbe.Refusal()
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.refuse(type, at: place(key))
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type,
    forKey key: Key
  ) throws -> Value? {
    // An optional property looks the same from the type's parts.
    try decoder.refuse(Value?.self, at: place(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.nested(place(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.nested(place(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder.nested(".super") }

  func superDecoder(forKey key: Key) throws -> any Decoder { decoder.nested(place(key)) }

  private func place(_ key: Key) -> String { "." + key.stringValue }
}
