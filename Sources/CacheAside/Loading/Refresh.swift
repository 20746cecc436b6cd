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

  /// When the value was stored that only something newer replaces, as far as clocks can tell.
  ///
  /// Memory knows the time to 4.2 ms, rounded down, and a record its own to a microsecond; without a
  /// margin a record would be newer than the value that was promoted from it.
  var newerThan: Int64? {
    guard case .ahead(let aged) = self else { return nil }
    return aged.storedAt + (1 << (EntryTimes.tickBits + 1))
  }
}
