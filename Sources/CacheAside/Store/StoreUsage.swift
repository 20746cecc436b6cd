/// How much a store holds.
public struct StoreUsage: Hashable, Sendable {
  /// The number of entries, if the store knows it.
  public var entries: Int?

  /// Their size in bytes as the store accounts for it, if it knows it.
  public var bytes: Int?

  /// Makes a usage.
  ///
  /// - Parameters:
  ///   - entries: the number of entries, if known.
  ///   - bytes: their size in bytes, if known.
  public init(entries: Int?, bytes: Int?) {
    self.entries = entries
    self.bytes = bytes
  }
}
