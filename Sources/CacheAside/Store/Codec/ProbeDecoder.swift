/// The schema probe's decoder: writes down the containers that a type asks for.
struct ProbeDecoder: Decoder {
  let probe: SchemaProbe
  let definition: Int
  /// The way to here inside the type, through nested containers.
  let path: String

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try note("{}")
    return KeyedDecodingContainer(ProbeKeyedContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try note("[]")
    return ProbeUnkeyedContainer(decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ProbeSingleValueContainer(decoder: self)
  }

  /// Writes down something that was asked for here.
  func note(_ request: String) throws { try probe.note(path + request, of: definition) }

  /// A neutral value of a type that was asked for.
  func decode<Value: Decodable>(_ type: Value.Type, at place: String) throws -> Value {
    try note(place + ":" + probe.name(of: type))
    return try probe.value(type)
  }

  /// Describes a type that was asked for where it may be missing.
  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type,
    at place: String
  ) throws -> Value? {
    try note(place + "?")
    try note(place + ":" + probe.name(of: type))
    probe.look(at: type)
    return nil
  }

  /// The decoder of what is nested at a place.
  func nested(_ place: String) -> ProbeDecoder {
    ProbeDecoder(probe: probe, definition: definition, path: path + place)
  }
}
