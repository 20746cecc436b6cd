extension Codec {
  /// The bytes for a record, or `nil` when the value itself is nil.
  ///
  /// - Parameter value: what to encode.
  /// - Returns: the payload.
  /// - Throws: what the codec threw.
  func encodeEntryPayload(_ value: Value) throws -> [UInt8]? {
    if let optional = value as? any AnyOptional, optional.isAbsent { return nil }
    return try encode(value)
  }

  /// The value of a record's payload.
  ///
  /// - Parameter payload: the bytes, or `nil` for nil.
  /// - Returns: the value.
  /// - Throws: what the codec threw; `CacheError` with the code `unsupportedType` when the record
  ///   holds nil and the type has none.
  func decodePayload(_ payload: [UInt8]?) throws -> Value {
    if let payload { return try decode(payload) }
    guard let type = Value.self as? any AnyOptional.Type, let value = type.absent as? Value else {
      throw CacheError(
        .unsupportedType,
        "the record holds nil, which \(Value.self) has no value for"
      )
    }
    return value
  }

  /// Makes sure that a payload gives back the value that was encoded.
  ///
  /// Values that have an `==` are compared, unless they differ from themselves; of others it is only
  /// known that they can be decoded.
  ///
  /// - Parameters:
  ///   - payload: the bytes, or `nil` for nil.
  ///   - value: what was encoded.
  /// - Throws: what the codec threw; ``LossyValue``.
  func check(_ payload: [UInt8]?, gives value: Value) throws {
    guard payload != nil else { return }
    let decoded = try decodePayload(payload)
    guard let type = Value.self as? any Equatable.Type else { return }
    if !Self.isEqual(value, decoded, as: type), Self.isEqual(value, value, as: type) {
      throw LossyValue(Value.self)
    }
  }

  private static func isEqual<Some: Equatable>(
    _ value: Value,
    _ other: Value,
    as type: Some.Type
  ) -> Bool {
    SameType.view(value, as: type) == SameType.view(other, as: type)
  }
}
