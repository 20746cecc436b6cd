/// The schema probe's unkeyed container, which ends when its first element was asked for.
struct ProbeUnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: ProbeDecoder
  private(set) var currentIndex = 0

  init(decoder: ProbeDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var isAtEnd: Bool { currentIndex > 0 }

  mutating func decodeNil() throws -> Bool {
    try decoder.note(next() + "?")
    throw SchemaProbe.Refusal()
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.refuse(type, at: next())
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    try decoder.refuse(type, at: next())
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.nested(next()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder.nested(next()).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { decoder.nested(next()) }

  /// The place of the next element, which counts as taken although it is refused: a loop that
  /// ignores errors must come to its end.
  mutating func next() -> String {
    defer { currentIndex += 1 }
    return "[\(currentIndex)]"
  }
}
