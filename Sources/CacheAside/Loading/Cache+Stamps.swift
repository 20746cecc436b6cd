// What invalidations of many entries do to one table.

extension Cache {
  func closeAllReaders() { flights.closeReaders { _ in true } }

  func noteStamp(_ invalidation: StoreInvalidation, expires: Bool) {
    memory.invalidateSelectable(expires: expires)
    if invalidation.selection == .everything {
      // Only keys of the identity carry a scope.
      if strategy.isIdentity {
        flights.closeReaders { invalidation.namespace.covers(($0 as? CacheKey)?.namespace) }
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
      if condition(entry) { invalidateInMemory(key, hash, where: condition, expiry) }
    }
  }

  /// The condition runs outside the locks, so it judges again behind a registration, which whatever is
  /// stored meanwhile closes: then it is that which is judged.
  private func invalidateInMemory(
    _ key: Key,
    _ hash: UInt64,
    where condition: (CacheSelector.Entry) -> Bool,
    _ expiry: HandExpiry?
  ) {
    var isDone = false
    while !isDone {
      let registration = flights.register(key, hash: hash)
      defer { flights.unregister(registration, key: key, hash: hash) }
      guard let entry = memory.entry(for: key, hash: hash), condition(seen(key, entry)) else {
        return
      }
      // Declared outside the flight table's lock, so that it is released outside it.
      var displaced = memory.makeDisplaced(for: hash)
      let done: Bool? = flights.commit(registration, key: key, hash: hash) {
        if let expiry {
          memory.expire(
            key,
            hash: hash,
            at: expiry.now.monotonic,
            staleIfError: expiry.staleIfError,
            keepExpired: expiry.kept,
            displaced: &displaced
          )
        } else {
          memory.remove(key, hash: hash, reason: .invalidated, displaced: &displaced)
        }
        return true
      }
      isDone = done != nil
    }
    if expiry != nil { sweepWhatExpires() }
    forgetFailure(key, hash)
  }

  func expireAllInMemory(_ expiry: HandExpiry) {
    for key in memory.keys() { expireOnly(key, memory.hash(of: key), expiry) }
    sweepWhatExpires()
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
    isTooOld(loaded.terms, since: joined)
  }

  func isTooOld(_ terms: EntryTerms?, since joined: UInt64) -> Bool {
    guard let terms, terms.isSelectable, terms.begun < joined else { return false }
    return core.stamps.reach(terms)
  }
}
