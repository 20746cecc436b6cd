/// The schema probe's decoder: writes down what a type asks for, and refuses it.
struct ProbeDecoder: Decoder {
  let probe: SchemaProbe
  let definition: Int
  /// The way to here inside the type, through nested containers.
  let path: String

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try probe.note(type, at: path, of: definition)
    return KeyedDecodingContainer(ProbeKeyedContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try note("[]")
    // What follows the first element is not seen.
    probe.noteHidden(definition)
    return ProbeUnkeyedContainer(decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ProbeSingleValueContainer(decoder: self)
  }

  /// Writes down something that was asked for here.
  func note(_ request: String) throws { try probe.note(path + request, of: definition) }

  /// Writes down a type that was asked for.
  func refuse(_ type: Any.Type, at place: String) throws -> Never {
    try note(place + ":" + probe.name(of: type, in: definition))
    throw SchemaProbe.Refusal()
  }

  /// The decoder of what is nested at a place.
  func nested(_ place: String) -> ProbeDecoder {
    ProbeDecoder(probe: probe, definition: definition, path: path + place)
  }
}
