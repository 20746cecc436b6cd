/// The schema probe's unkeyed container: one element for those who ask for the end, and as many as
/// anybody takes.
struct ProbeUnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: ProbeDecoder
  private(set) var currentIndex = 0

  init(decoder: ProbeDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var isAtEnd: Bool { currentIndex > 0 }

  mutating func decodeNil() throws -> Bool {
    try decoder.note("[\(currentIndex)]?")
    return false
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.decode(type, at: next())
  }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    try decoder.decodeIfPresent(type, at: next())
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

  /// The place of the next element, which counts as taken also when it cannot be made: a loop that
  /// ignores errors must come to its end.
  mutating func next() -> String {
    defer { currentIndex += 1 }
    return "[\(currentIndex)]"
  }
}
