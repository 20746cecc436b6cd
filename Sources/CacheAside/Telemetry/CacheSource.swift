/// Where a value came from.
public enum CacheSource: Hashable, Sendable, CustomStringConvertible {
  /// The memory table.
  case memory
  /// A slower store, by its name.
  case store(String)
  /// The producer ran for this call.
  case produced
  /// The producer ran for another caller, whose load this call joined.
  case coalesced
  /// An expired value, and why it was returned.
  case stale(StaleReason)

  /// The case's name.
  public var description: String {
    switch self {
    case .memory: "memory"
    case .store(let name): "store(\(name))"
    case .produced: "produced"
    case .coalesced: "coalesced"
    case .stale(let reason): "stale(\(reason))"
    }
  }
}
