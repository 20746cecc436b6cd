// Loads that nobody waits for: of stale values, ahead of time, behind a cached answer; and the time
// limits of all loads.

extension FeatureCore {
  /// Counts and reports a load in the background that hangs, whose key a call took for a new load.
  func overdue(_ key: CacheKey) {
    counters.refreshFailures.add()
    counters.abandonedLoads.add()
    let error = CacheError(
      .abandoned,
      "a load in the background took far longer than loads before it; a call that had to wait for its "
        + "key started over",
      key: key
    )
    report(.loadAbandoned, key: key, error: error)
  }
}

extension Cache {
  /// Starts a load in the background, unless one of the key is there or too many run.
  func startBackground(
    _ key: Key,
    _ hash: UInt64,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms,
    _ refresh: Refresh<Value>,
    replacing flight: Flight<Loaded<Value>>? = nil
  ) {
    guard mayLoadBehind(key, hash, terms), let permit = core.enterBackground() else { return }
    let ambient = Ambient.forBackground()
    let aged = refresh.restingValue
    let isStarted = flights.startBackground(
      key,
      hash: hash,
      replacing: flight,
      limit: backgroundLimit(key, hash, terms, aged, permit),
      fallback: aged?.fallback(core)
    ) { [self] flight in
      try await Ambient.with(ambient) {
        try await permit.hold {
          try await fly(flight, key, hash, request, terms, refresh)
        }
      }
    }
    noteRefresh(refresh, isStarted)
  }

  /// What `.cacheThenRefresh` answers at once: what is fresh, or in a stale window.
  nonisolated(nonsending) func cachedForRefresh(
    _ key: Key,
    _ terms: LoadTerms
  ) async throws -> Loaded<Value>? {
    let hash = memory.hash(of: key)
    if let loaded = memoryHit(key) ?? lateHit(key, hash) { return loaded }
    if let aged = agedInMemory(key, hash, terms) {
      core.counters.staleServed.add()
      return aged.loaded(staleReason(key, hash, terms))
    }
    guard core.usesTiers else { return nil }
    let storeKey = storeKey(key)
    let slot = readerSlot(key, hash, storeKey)
    defer { flights.unregister(slot.registration, key: key, hash: hash) }
    switch try await look(storeKey, terms, isCounted: true) {
    case .nothing: return nil
    case .fresh(let found):
      await promote(found, storeKey, slot)
      return found.loaded
    case .aged(let found, let aged):
      core.counters.staleServed.add()
      await promote(found, storeKey, slot)
      return aged.loaded(staleReason(key, hash, terms))
    }
  }

  /// How long a load of the policy may take, and what its waiters get when it takes longer.
  func limit(
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms,
    reads: Bool = true
  ) -> FlightLimit<Loaded<Value>>? {
    guard terms.limits.abandon != .max else { return nil }
    return FlightLimit(nanoseconds: terms.limits.abandon) { [self] flight in
      let error = abandonment(terms, key: strategy.derive(key))
      sourceHung(ObjectIdentifier(flight.registration), terms, error)
      return givenUp(flight, key, hash, terms, agedInMemory(key, hash, terms), error, reads: reads)
    }
  }

  /// The same for a load that nobody waits for, which always has a limit.
  func backgroundLimit(
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms,
    _ aged: Aged<Value>?,
    _ permit: Permit
  ) -> FlightLimit<Loaded<Value>> {
    FlightLimit(nanoseconds: terms.limits.abandonInBackground) { [self] flight in
      permit.release()
      core.counters.refreshFailures.add()
      let error = abandonment(terms, key: strategy.derive(key), isBackground: true)
      sourceHung(ObjectIdentifier(flight.registration), terms, error)
      return givenUp(flight, key, hash, terms, aged, error, reads: aged != nil)
    }
  }

  /// The error of a load that takes longer than it may; it says by which limit.
  func abandonment(
    _ terms: LoadTerms,
    key: CacheKey?,
    isBackground: Bool = false
  ) -> CacheError {
    CacheError(
      .abandoned,
      "the load took longer than \(terms.limits.abandonText(isBackground: isBackground)) and was "
        + "given up; its key is free again",
      key: key
    )
  }

  /// What the waiters of a load get that was given up: a stale value, or an error.
  func givenUp(
    _ flight: Flight<Loaded<Value>>,
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms,
    _ aged: Aged<Value>?,
    _ error: CacheError,
    reads: Bool
  ) -> Result<Loaded<Value>, any Error> {
    core.counters.loadFailures.add()
    core.counters.abandonedLoads.add()
    core.report(.loadAbandoned, key: error.key, error: error)
    let now = core.time.precise
    let fallback = flight.fallback(.loadFailed)
    // What loads without looking may have something to serve that it does not know of.
    guard terms.isFailure(error), fallback != nil || aged?.isUsable(now) == true || !reads else {
      return .failure(error)
    }
    rest(flight.registration, HashedKey(key: key, hash: hash), terms, now)
    return fallback.map(Result.success) ?? .failure(error)
  }
}
