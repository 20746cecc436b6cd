/// Why a value that was returned is loaded again behind its caller.
enum Refresh<Value: Sendable>: Sendable {
  /// It has expired.
  case stale(Aged<Value>)
  /// It is fresh and near its end.
  case ahead(Aged<Value>)
  /// The caller wants a newer one whatever there is.
  case asked

  /// What can be served meanwhile, so that a failure lets the producer rest.
  var restingValue: Aged<Value>? {
    switch self {
    case .stale(let aged), .ahead(let aged): aged
    case .asked: nil
    }
  }

  /// When the value was stored that only something newer replaces.
  var newerThan: Int64? { if case .ahead(let aged) = self { aged.storedAt } else { nil } }
}
