// The protocol's own forms for these ask for the end first, where this container has one too early.

extension ProbeUnkeyedContainer {
  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try absent(type) }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try absent(type) }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try absent(type) }
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try absent(type) }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try absent(type) }
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try absent(type) }
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try absent(type) }
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try absent(type) }
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try absent(type) }
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try absent(type) }
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try absent(type) }
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try absent(type) }
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try absent(type) }
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try absent(type) }
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try absent(type) }
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try absent(type) }

  /// Describes an element that may be missing.
  private mutating func absent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    try decoder.decodeIfPresent(type, at: next())
  }
}
