/// Why a value left memory.
public enum RemovalReason: UInt8, Hashable, Sendable, CaseIterable {
  /// Removed by `remove`.
  case explicit
  /// Overwritten by a newer value.
  case replaced
  /// Its lifetime was over.
  case expired
  /// Evicted, or refused, because a limit was reached.
  case capacity
  /// Removed with many others: `removeAll`, a tag, a namespace.
  case invalidated
}
