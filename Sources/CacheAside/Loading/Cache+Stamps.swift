// What invalidations of many entries do to one table.

extension Cache {
  func closeAllReaders() { flights.closeReaders { _ in true } }

  func noteStamp(_ invalidation: StoreInvalidation, expires: Bool) {
    memory.invalidateSelectable(expires: expires)
    if invalidation.selection == .everything {
      // Only keys of the identity carry a scope.
      if strategy.isIdentity {
        flights.closeReaders { ($0 as? CacheKey)?.namespace == invalidation.namespace }
      }
    } else {
      flights.supersede(invalidation.selection)
    }
    forgetFailures()
  }

  func invalidateInMemory(
    where condition: (CacheSelector.Entry) -> Bool,
    _ expiry: HandExpiry?
  ) {
    forEachInMemory { key, hash, entry in
      guard condition(entry) else { return }
      if let expiry {
        expireOnly(key, hash, expiry)
      } else {
        _ = memory.remove(key, hash: hash, reason: .invalidated)
      }
      forgetFailure(key, hash)
    }
  }

  func expireAllInMemory(_ expiry: HandExpiry) {
    for key in memory.keys() { expireOnly(key, memory.hash(of: key), expiry) }
    forgetFailures()
  }

  private func expireOnly(_ key: Key, _ hash: UInt64, _ expiry: HandExpiry) {
    memory.expire(
      key,
      hash: hash,
      at: expiry.now.monotonic,
      staleIfError: expiry.staleIfError,
      keepExpired: expiry.kept
    )
  }

  // MARK: Results of loads

  /// Whether a result that a caller got from somebody else's load was invalidated before the caller
  /// came, so that it has to load anew.
  ///
  /// Tags that only the producer knew are told with the result, so the flight could not be closed.
  func isTooOld(_ loaded: Loaded<Value>, since joined: UInt64) -> Bool {
    guard let terms = loaded.terms, terms.isSelectable, terms.begun < joined else { return false }
    return core.stamps.reach(terms)
  }

  /// Whether what an explicit write was to store was invalidated meanwhile, so that nothing older may
  /// be left in its place.
  func isOvertaken(_ loaded: Loaded<Value>, _ slot: Slot<Key>) -> Bool {
    guard let terms = loaded.terms else { return false }
    return core.stamps.reach(terms) && !slot.registration.isSuperseded
  }
}
