/// One record of a store: encoded bytes with their lifetimes and what is needed to read them back.
public struct CacheEntry: Hashable, Sendable {
  /// The encoded value; `nil` when the value itself was nil.
  public var payload: [UInt8]?

  /// How the payload is encoded.
  public var codec: CodecIdentifier

  /// Which type was encoded: a digest of its name, one `Optional` stripped.
  public var type: UInt64

  /// The schema of the value: a version that was given, or a fingerprint of the type's structure.
  public var schema: UInt32

  /// When it was stored, in microseconds since 1970, UTC.
  public var created: Int64

  /// When it stops being fresh, in microseconds since 1970, UTC; `Int64.max` means never.
  public var freshUntil: Int64

  /// When it may be deleted, in microseconds since 1970, UTC; `Int64.max` means never.
  public var keptUntil: Int64

  /// Whether it was expired by hand.
  public var isExpiredByHand: Bool

  /// Tags, validators and whatever else travels with the value.
  public var metadata: CacheMetadata

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - payload: the encoded value; `nil` when the value itself was nil.
  ///   - codec: how the payload is encoded.
  ///   - type: a digest of the type's name.
  ///   - schema: the schema of the value.
  ///   - created: when it was stored, in microseconds since 1970.
  ///   - freshUntil: when it stops being fresh; `Int64.max` means never.
  ///   - keptUntil: when it may be deleted; `Int64.max` means never.
  ///   - isExpiredByHand: whether it was expired by hand.
  ///   - metadata: what else travels with the value.
  public init(
    payload: [UInt8]?,
    codec: CodecIdentifier,
    type: UInt64,
    schema: UInt32 = 0,
    created: Int64,
    freshUntil: Int64 = .max,
    keptUntil: Int64 = .max,
    isExpiredByHand: Bool = false,
    metadata: CacheMetadata = CacheMetadata()
  ) {
    self.payload = payload
    self.codec = codec
    self.type = type
    self.schema = schema
    self.created = created
    self.freshUntil = freshUntil
    self.keptUntil = keptUntil
    self.isExpiredByHand = isExpiredByHand
    self.metadata = metadata
  }
}
