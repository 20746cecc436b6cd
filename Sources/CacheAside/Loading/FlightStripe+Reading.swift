extension FlightStripe {
  /// Finds the read of a key that goes on or registers a new one.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - anyAge: whether it finds what has expired, too.
  ///   - make: makes a flight, under the lock.
  /// - Returns: the flight, and whether it is new.
  func enterRead(
    _ key: HashedKey<Key>,
    anyAge: Bool,
    make: () -> Flight<Output>
  ) -> (flight: Flight<Output>, isNew: Bool) {
    withEntries { entries in
      if let read = entries[key]?.reads.first(where: { $0.anyAge == anyAge }) {
        return (read.flight, false)
      }
      let flight = make()
      entries[key, default: Entry()].reads.append(Read(flight: flight, anyAge: anyAge))
      return (flight, true)
    }
  }
}
