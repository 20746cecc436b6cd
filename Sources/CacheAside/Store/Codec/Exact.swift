// What plain JSON would not give back, in a form that does.
//
// What: a box around a value that codes it through a layer over the coder: nested optionals, URLs and
// decimals get forms of their own (`ExactForm`), plain values go to the coder as they are, everything
// else codes itself into containers of the same kind, which box what is put into them. Invariants: a
// value without any of those is written as without the box, so that records stay readable; what is
// written is read back by the same box only. Called by `JSONCodec` for the types that need it.

/// A type with a form of its own, which is given back exactly.
protocol ExactForm {
  /// Writes the form.
  func encodeExactly(to encoder: any Encoder) throws
  /// Reads the form.
  static func decodeExactly(from decoder: any Decoder) throws -> Self
}

/// A value that is coded exactly.
struct Exact<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// Whether the coder behind takes it as it is.
  static var isPlain: Bool {
    if Value.self == String.self || Value.self == Int.self || Value.self == Double.self
      || Value.self == Bool.self
    {
      return true
    }
    return Value.self is any PlainValue.Type
  }
}

extension Exact: Encodable where Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    if let form = Value.self as? any ExactForm.Type { return try encode(as: form, to: encoder) }
    try value.encode(to: ExactEncoder(encoder))
  }

  private func encode<Form: ExactForm>(as type: Form.Type, to encoder: any Encoder) throws {
    guard let form = SameType.view(value, as: type) else { throw MistypedValue() }
    try form.encodeExactly(to: encoder)
  }
}

extension Exact: Decodable where Value: Decodable {
  init(from decoder: any Decoder) throws {
    if let form = Value.self as? any ExactForm.Type {
      self.init(try Self.decode(as: form, from: decoder))
    } else {
      self.init(try Value(from: ExactDecoder(decoder)))
    }
  }

  private static func decode<Form: ExactForm>(
    as type: Form.Type,
    from decoder: any Decoder
  ) throws -> Value {
    let form = try Form.decodeExactly(from: decoder)
    guard let value = SameType.view(form, as: Value.self) else { throw MistypedValue() }
    return value
  }
}

/// An optional of an optional: a list with what it wraps, or null.
///
/// JSON has one null for all of them.
extension Optional: ExactForm where Wrapped: AnyOptional {
  func encodeExactly(to encoder: any Encoder) throws {
    guard let wrapped = self else {
      var container = encoder.singleValueContainer()
      return try container.encodeNil()
    }
    guard let type = Wrapped.self as? any Encodable.Type else {
      throw UncodableType(Wrapped.self)
    }
    var container = encoder.unkeyedContainer()
    try Self.put(wrapped, as: type, into: &container)
  }

  static func decodeExactly(from decoder: any Decoder) throws -> Wrapped? {
    if try decoder.singleValueContainer().decodeNil() { return nil }
    guard let type = Wrapped.self as? any Decodable.Type else { throw UncodableType(Wrapped.self) }
    var container = try decoder.unkeyedContainer()
    return .some(try take(type, from: &container))
  }

  private static func put<Value: Encodable>(
    _ wrapped: Wrapped,
    as type: Value.Type,
    into container: inout any UnkeyedEncodingContainer
  ) throws {
    guard let value = SameType.view(wrapped, as: type) else { throw MistypedValue() }
    try container.encode(Exact(value))
  }

  private static func take<Value: Decodable>(
    _ type: Value.Type,
    from container: inout any UnkeyedDecodingContainer
  ) throws -> Wrapped {
    let value = try container.decode(Exact<Value>.self).value
    guard let wrapped = SameType.view(value, as: Wrapped.self) else { throw MistypedValue() }
    return wrapped
  }
}
