/// What `Cache.restoreMemory(from:)` did with the entries of a file.
public struct RestoredMemory: Hashable, Sendable {
  /// Entries that are in memory now.
  public var entries = 0
  /// Entries that are kept no longer.
  public var expired = 0
  /// Entries that memory has in a newer version, that were changed while they were read, or that
  /// did not fit.
  public var superseded = 0
  /// Entries of another feature, version, type, codec or structure.
  public var foreign = 0
  /// Entries, or stretches of the file, that are damaged.
  public var damaged = 0

  init() {}
}
