import Synchronization

extension FlightStripe {
  /// Stores what was computed from the value before, unless anything has changed since.
  ///
  /// Whoever computes registers as a reader does, before it reads: a change that begins or is stored
  /// after that closes the registration. An explicit write that had begun before and has not reached
  /// memory stays open and is stored over this one.
  ///
  /// - Parameters:
  ///   - registration: who computed.
  ///   - key: its key.
  ///   - mayPrecede: whether such a write may come after; it may not if the value was read where
  ///     that write may have been already.
  ///   - successor: the explicit write that goes on with the slower stores.
  ///   - body: stores in memory; it must not run a user's code.
  /// - Returns: what the function returned, and whether the successor stands; `nil` if nothing was
  ///   stored, and the value has to be read again.
  func update<Stored: Sendable>(
    _ registration: Registration,
    _ key: HashedKey<Key>,
    mayPrecede: Bool,
    successor: Registration?,
    _ body: () -> Stored
  ) -> (stored: Stored, goesOn: Bool)? {
    let (result, displaced) = withEntries { entries -> ((Stored, Bool)?, Displaced?) in
      if registration.isSuperseded { return (nil, nil) }
      let isBefore =
        entries[key]?.others.all.contains { $0.isWriter && !$0.isCommitted } ?? false
      if isBefore && !mayPrecede { return (nil, nil) }
      let stored = body()
      if isBefore { return ((stored, false), Self.closeReaders(key, but: nil, in: &entries)) }
      let displaced = Self.close(key, in: &entries)
      if let successor { entries[key] = Entry(others: RegistrationList(successor)) }
      return ((stored, successor != nil), displaced)
    }
    _ = displaced
    return result.map { (stored: $0.0, goesOn: $0.1) }
  }
}
