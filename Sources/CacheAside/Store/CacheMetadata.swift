/// What travels with a value in its record, as tag–length–value fields.
///
/// Fields that this version does not know are kept and written back unchanged.
public struct CacheMetadata: Hashable, Sendable {
  /// A field's number.
  public struct Field: RawRepresentable, Hashable, Sendable {
    /// The number as it is written.
    public let rawValue: UInt16

    /// Makes a field from its number.
    ///
    /// - Parameter rawValue: the number; those below 1,024 belong to CacheAside.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The tags of the entry.
    public static let tags = Field(rawValue: 1)
    /// The validator that the producer gave, an `ETag` for example.
    public static let validator = Field(rawValue: 2)
    /// When stale-while-revalidate ends.
    public static let staleWhileRevalidateEnd = Field(rawValue: 3)
    /// When stale-if-error ends.
    public static let staleIfErrorEnd = Field(rawValue: 4)
    /// How long the load took, in nanoseconds.
    public static let loadTime = Field(rawValue: 5)
    /// The cost of the value.
    public static let cost = Field(rawValue: 6)
    /// The idle interval, in nanoseconds.
    public static let idleInterval = Field(rawValue: 7)
    /// The epoch of the folder's ledger.
    public static let ledgerEpoch = Field(rawValue: 8)
    /// The ledger's sequence number when the load began.
    public static let ledgerBegun = Field(rawValue: 9)
    /// How long the entry is kept after its freshness, in nanoseconds, if that has no end yet.
    static let keptAfterEnd = Field(rawValue: 10)
  }

  /// The fields in the order in which they are written, by number.
  public private(set) var fields: [(field: Field, bytes: [UInt8])] = []

  /// Makes empty metadata.
  public init() {}

  /// Makes metadata of fields that are in order.
  init(ordered fields: [(field: Field, bytes: [UInt8])]) { self.fields = fields }

  /// The bytes of a field; setting `nil` removes it.
  ///
  /// - Parameter field: which one.
  public subscript(field: Field) -> [UInt8]? {
    get { fields.first { $0.field == field }?.bytes }
    set {
      fields.removeAll { $0.field == field }
      guard let newValue else { return }
      let index = fields.firstIndex { $0.field.rawValue > field.rawValue } ?? fields.endIndex
      fields.insert((field, newValue), at: index)
    }
  }

  /// Whether two have the same fields with the same bytes.
  ///
  /// - Parameters:
  ///   - lhs: one.
  ///   - rhs: the other.
  /// - Returns: whether they are equal.
  public static func == (lhs: CacheMetadata, rhs: CacheMetadata) -> Bool {
    lhs.fields.elementsEqual(rhs.fields) { $0.field == $1.field && $0.bytes == $1.bytes }
  }

  /// Feeds the fields into a hasher.
  ///
  /// - Parameter hasher: where to.
  public func hash(into hasher: inout Hasher) {
    for (field, bytes) in fields {
      hasher.combine(field)
      hasher.combine(bytes)
    }
  }
}
