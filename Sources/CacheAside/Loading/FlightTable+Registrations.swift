extension FlightTable {
  /// Registers something that may store later and gives way to every write: a promotion, a
  /// synchronous read of a slower tier.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  /// - Returns: the registration; unregister it when it has stored or given up.
  func register(_ key: Key, hash: UInt64) -> Registration {
    let registration = Registration()
    stripe(hash).add(registration, for: HashedKey(key: key, hash: hash))
    note(key)
    return registration
  }

  /// Closes everything registered for a key and registers an explicit write.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  /// - Returns: the registration; unregister it when it has stored or given up.
  func registerWriter(_ key: Key, hash: UInt64) -> Registration {
    let registration = Registration(isWriter: true)
    watches.note(hash)
    stripe(hash).supersede(HashedKey(key: key, hash: hash), successor: registration)
    note(key)
    return registration
  }

  /// Notes that a load has its answer: whatever other loads of its key there are store nothing.
  ///
  /// - Parameters:
  ///   - registration: the load.
  ///   - key: its key.
  ///   - hash: the key's hash.
  func claim(_ registration: Registration, key: Key, hash: UInt64) {
    guard registration.isHedged else { return }
    stripe(hash).claim(registration, HashedKey(key: key, hash: hash))
  }

  /// Takes a registration out and closes it.
  ///
  /// - Parameters:
  ///   - registration: what will not store any more.
  ///   - key: its key.
  ///   - hash: the key's hash.
  func unregister(_ registration: Registration, key: Key, hash: UInt64) {
    stripe(hash).remove(registration, for: HashedKey(key: key, hash: hash))
  }

  /// Closes everything registered for a key: its waiters get their results, nothing is stored,
  /// later callers start a new flight.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  func supersede(_ key: Key, hash: UInt64) {
    watches.note(hash)
    stripe(hash).supersede(HashedKey(key: key, hash: hash))
  }

  /// Closes the loads and promotions that are registered for a key, and no explicit write: they may
  /// have read what a change has replaced meanwhile.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  func closeReaders(_ key: Key, hash: UInt64) {
    watches.note(hash)
    stripe(hash).closeReaders(HashedKey(key: key, hash: hash))
  }

  /// Closes the loads and promotions of a key whose flight began before an invalidation by tag or
  /// scope.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - sequence: the invalidation.
  func closeReaders(_ key: Key, hash: UInt64, begunBefore sequence: UInt64) {
    guard sequence > 0 else { return }
    stripe(hash).closeReaders(HashedKey(key: key, hash: hash), begunBefore: sequence)
  }

  /// Closes the loads and promotions of the keys that match.
  ///
  /// - Parameter matches: says which keys; it runs outside every lock.
  func closeReaders(where matches: (Key) -> Bool) {
    watches.noteAll()
    for stripe in stripes {
      for key in stripe.keys where matches(key.key) { stripe.closeReaders(key) }
    }
  }

  /// Closes the loads that are known to store what an invalidation selects, and promotions beside
  /// them.
  ///
  /// O(n) in the registrations.
  func supersede(_ selection: StoreInvalidation.Selection) {
    for stripe in stripes { stripe.supersede(selection) }
  }

  /// Closes everything registered.
  ///
  /// O(n) in the registrations; one stripe after the other.
  func supersedeAll() {
    watches.noteAll()
    for stripe in stripes { stripe.supersedeAll() }
  }

  /// Gives up the loads that nobody waits for.
  func giveUpUnobserved() {
    for stripe in stripes {
      for flight in stripe.flights {
        flight.giveUp(ifUnobserved: true) { .failure(CancellationError()) }
      }
    }
  }

  /// Does something on behalf of a registration, unless it is closed: a change of the key comes before
  /// it and keeps it from being done, or after it.
  ///
  /// - Parameters:
  ///   - registration: on whose behalf.
  ///   - hash: the hash of its key.
  ///   - body: does it, under the lock of the key's stripe; it must not run a user's code.
  /// - Returns: what the body returned, or `nil` if the registration is closed.
  func ifOpen<Done: Sendable>(
    _ registration: Registration,
    hash: UInt64,
    _ body: () -> Done
  ) -> Done? {
    stripe(hash).withEntries { _ in registration.isSuperseded ? nil : body() }
  }

  /// Stores on behalf of a registration, unless it is closed.
  ///
  /// - Parameters:
  ///   - registration: what wants to store.
  ///   - key: its key.
  ///   - hash: the key's hash.
  ///   - isChange: whether it stores something new, which closes every other load and promotion of
  ///     the key.
  ///   - body: puts the value into the memory table; it runs under the lock of the key's stripe,
  ///     so it must not run a user's code, and returns what it displaced.
  /// - Returns: what the body returned, or `nil` if the registration is closed.
  func commit<Stored: Sendable>(
    _ registration: Registration,
    key: Key,
    hash: UInt64,
    isChange: Bool = false,
    _ body: () -> Stored
  ) -> Stored? {
    if isChange { watches.note(hash) }
    let key = HashedKey(key: key, hash: hash)
    return stripe(hash).commit(registration, key, isChange: isChange, body)
  }
}
