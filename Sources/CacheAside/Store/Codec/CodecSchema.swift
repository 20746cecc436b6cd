/// Where the schema number of a codec's records comes from.
enum CodecSchema: Hashable, Sendable {
  /// The bytes have no structure that a type could show.
  case none
  /// A number that the user gave; no structure counts.
  case version(UInt32)
  /// The structure of the type.
  case structure

  /// The number for the records of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the values.
  ///   - feature: the version that the feature was given, if it was.
  /// - Returns: the codec's own version, else the feature's, else the structure's fingerprint.
  func number(of type: Any.Type, feature: Int?) -> UInt32 {
    if case .version(let version) = self { return version }
    if let feature { return UInt32(truncatingIfNeeded: feature) }
    return self == .structure ? SchemaFingerprint.of(type) : 0
  }
}
