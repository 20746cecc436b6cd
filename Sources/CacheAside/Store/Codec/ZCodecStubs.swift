enum TypeIdentity { static func of<T>(_ t: T.Type) -> UInt64 { 0 } }
extension Codec { static func automatic(for: Value.Type) -> Codec? { nil }
 func encodePayload(_ v: Value) throws -> [UInt8]? { try encode(v) }
 func decodePayload(_ b: [UInt8]?) throws -> Value { try decode(b ?? []) } }
