/// How values of one type become bytes and back.
///
/// Both closures are synchronous and run outside every lock, on the task or thread that stores or
/// reads. A value that cannot be encoded stays in memory, with an event saying so; bytes that
/// cannot be decoded are a miss.
public struct Codec<Value: Sendable>: Sendable {
  /// The number written into records, so that another codec's records are not misread.
  public let identifier: CodecIdentifier

  /// Where the schema of its records comes from.
  let schema: CodecSchema

  let encode: @Sendable (Value) throws -> [UInt8]
  let decode: @Sendable ([UInt8]) throws -> Value

  /// Makes a codec of your own.
  ///
  /// - Parameters:
  ///   - identifier: a number of 256 or more; another codec's records are removed when they are read.
  ///   - version: the schema of the values; records of another number are misses. Raise it when what
  ///     is encoded changes its structure or meaning.
  ///   - encode: value to bytes.
  ///   - decode: bytes to value; throws when they are not what `encode` wrote.
  public init(
    identifier: CodecIdentifier,
    version: UInt32 = 0,
    encode: @escaping @Sendable (Value) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.init(
      identifier: identifier,
      schema: version == 0 ? .none : .version(version),
      encode: encode,
      decode: decode
    )
  }

  init(
    identifier: CodecIdentifier,
    schema: CodecSchema,
    encode: @escaping @Sendable (Value) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.identifier = identifier
    self.schema = schema
    self.encode = encode
    self.decode = decode
  }
}
