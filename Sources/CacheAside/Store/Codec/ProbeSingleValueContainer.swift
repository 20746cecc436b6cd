/// The schema probe's container of one value.
struct ProbeSingleValueContainer: SingleValueDecodingContainer {
  let decoder: ProbeDecoder

  var codingPath: [any CodingKey] { [] }

  // Cannot throw; a loop over this would be the type's own.
  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.refuse(type, at: "")
  }
}
