/// Why a value that was returned is loaded again behind its caller.
enum Refresh<Value: Sendable>: Sendable {
  /// It has expired.
  case stale(Aged<Value>)
  /// It is fresh and near its end; stored at that moment.
  case ahead(MemoryEntry<Value>)
  /// The caller wants a newer one whatever there is.
  case asked

  /// What can be served meanwhile, so that a failure lets the producer rest.
  var restingValue: Aged<Value>? {
    switch self {
    case .stale(let aged): aged
    case .ahead(let entry):
      Aged(
        value: entry.value,
        source: .memory,
        storedAt: entry.storedAt,
        deadline: entry.deadline,
        windows: .none
      )
    case .asked: nil
    }
  }

  /// When the value was stored that only something newer replaces.
  var newerThan: Int64? { if case .ahead(let entry) = self { entry.storedAt } else { nil } }
}
