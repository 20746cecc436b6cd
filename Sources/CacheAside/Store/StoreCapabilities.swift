/// What a store does natively.
public struct StoreCapabilities: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set from bits.
  ///
  /// - Parameter rawValue: the bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Lists its entries.
  public static let scan = StoreCapabilities(rawValue: 1 << 0)

  /// Keeps its entries over a restart of the process.
  public static let persistent = StoreCapabilities(rawValue: 1 << 1)

  /// Is shared with other processes.
  public static let shared = StoreCapabilities(rawValue: 1 << 2)

  /// Removes one entry atomically only if it is unchanged.
  public static let compareAndDelete = StoreCapabilities(rawValue: 1 << 3)

  /// Invalidates a selection by itself, whole and in order with its other writes; without this the
  /// cache lists the entries and changes one after the other.
  public static let invalidate = StoreCapabilities(rawValue: 1 << 4)
}
