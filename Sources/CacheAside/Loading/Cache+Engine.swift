// The slow path of a call: probe, serve stale where the policy allows it, else join or lead a flight.
// What a flight does is in `Cache+Flying.swift`.

/// What a call that has found nothing fresh in memory does.
private enum Boarding<Value: Sendable>: Sendable {
  /// It is answered already.
  case answered(Loaded<Value>)
  /// It waits for a flight.
  case boarded(Boarded<Value>)
  /// It shares nothing, or has another table.
  case elsewhere
  /// A load behind answers runs, and only the slower tiers know whether what it replaces is still there.
  case beside(Flight<Loaded<Value>>)
}

/// A call's seat, and whether it led its flight, so that one that throws is counted as one thing.
private struct Boarded<Value: Sendable>: Sendable {
  let seat: FlightSeat<Loaded<Value>>
  let led: Bool
  /// Where the feature's invalidations stood when it came.
  let joinedAt: UInt64
  /// Ends the wait of a caller that waits only so long.
  let patience: Task<Void, Never>?
}

extension Cache {
  /// A whole lookup in any mode: memory first, where the mode reads.
  nonisolated(nonsending) func lookup(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    if let scoped = scoped(key) { return try await scoped.table.lookup(scoped.key, request) }
    try core.checkScope(core.terms)
    if let note = newNote(key, request.mode.description) {
      return try await tracedLookup(key, request, note)
    }
    switch request.mode.kind {
    case .standard, .cacheOnly:
      if let loaded = memoryHit(key) { return (loaded, false) }
      if request.mode == .default { return try await load(key, request) }
      if let loaded = try await readTiers(key, anyAge: false) { return (loaded, false) }
      throw CacheError.notCached(strategy.derive(key))
    case .anyAge:
      if let loaded = memoryHit(key) ?? memoryEntry(key) { return (loaded, false) }
      if let loaded = try await readTiers(key, anyAge: true, thenLoads: true) {
        return (loaded, false)
      }
      return try await load(key, request)
    case .cacheThenRefresh:
      let terms = try core.terms(of: request.policy)
      if let loaded = try await cachedForRefresh(key, terms) {
        var reload = request
        reload.mode = .reload
        startBackground(key, memory.hash(of: key), reload, terms, .asked)
        return (loaded, false)
      }
      return try await load(key, request)
    case .reload, .renew, .bypass:
      return try await load(key, request)
    }
  }

  /// Joins or leads the key's flight.
  ///
  /// What comes before the wait and after it is synchronous, in functions of its own: each caller
  /// that waits keeps the frame of this function, which so holds little more than a seat.
  nonisolated(nonsending) func load(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    if let note = newNote(key, request.mode.description) {
      return try await tracedLoad(key, request, note)
    }
    while true {
      switch try board(key, request) {
      case .answered(let loaded): return (loaded, false)
      case .elsewhere: return try await loadAlone(key, request)
      case .beside(let flight): return try await loadBeside(flight, key, request)
      case .boarded(let boarded):
        let end = await boarded.seat.flight.wait(in: boarded.seat.slot)
        // What was invalidated meanwhile, or a batch found to be absent, is looked for again.
        if let loaded = try leave(boarded, end) { return (loaded, boarded.seat.joined) }
      }
    }
  }

  /// A place in the key's flight, or an answer without one.
  @inline(never)
  private func board(_ key: Key, _ request: LoadRequest<Value>) throws -> Boarding<Value> {
    if core.isClosed || request.mode == .bypass || scoped(key) != nil { return .elsewhere }
    let terms = try core.terms(of: request.policy)
    try core.checkScope(terms)
    let hash = memory.hash(of: key)
    let joinedAt = core.stamps.now
    let reads = request.mode.reads
    var run = request
    if !reads { run.mode = .reload }
    if reads, let (loaded, refresh) = try answer(key, hash, terms) {
      if let refresh { startBackground(key, hash, request, terms, refresh) }
      return .answered(loaded)
    }
    // Whoever is cancelled already loads nothing and is not counted.
    try Task.checkCancellation()
    var led = false
    do {
      let seat = try flights.board(
        key,
        hash: hash,
        whenUnobserved: terms.fields.whenUnobserved ?? .cancel,
        supersede: request.mode == .reload,
        limit: limit(key, hash, terms),
        probe: {
          // Asked of the leader, before it can be cancelled.
          led = true
          return reads ? lateHit(key, hash) : nil
        },
        run: { [self, run] flight in
          try await fly(flight, key, hash, run, terms, nil)
        }
      )
      if reads, seat.joined, let loaded = seat.flight.fallback(.revalidating) {
        seat.leaveGraph()
        seat.flight.leave(seat.slot)
        if core.readsTiersOnly { return .beside(seat.flight) }
        (loaded.isFresh ? core.counters.storeHits : core.counters.staleServed).add()
        return .answered(loaded)
      }
      core.note?.boards(joined: seat.joined)
      return .boarded(
        Boarded(
          seat: seat,
          led: led,
          joinedAt: joinedAt,
          patience: startPatience(seat, terms.limits)
        )
      )
    } catch {
      if !led { core.counters.coalesced.add() }
      throw error
    }
  }

  private func startPatience(
    _ seat: FlightSeat<Loaded<Value>>,
    _ limits: LoadLimits
  ) -> Task<Void, Never>? {
    guard limits.hasPatience else { return nil }
    let now = core.time.precise
    return seat.flight.startPatience(
      seat.slot,
      soft: Lifetime.sum(now, limits.soft),
      hard: Lifetime.sum(now, limits.hard)
    )
  }

  /// What the caller gets when its wait has ended; `nil` if it has to look again.
  @inline(never)
  private func leave(
    _ boarded: Boarded<Value>,
    _ end: Waiter.End
  ) throws -> Loaded<Value>? {
    boarded.seat.leaveGraph()
    boarded.patience?.cancel()
    do {
      let loaded = try boarded.seat.output(after: end)
      if boarded.seat.joined, isTooOld(loaded, since: boarded.joinedAt) { return nil }
      if boarded.seat.joined { core.counters.coalesced.add() }
      if loaded.isFallback { core.counters.staleFallbacks.add() }
      return loaded
    } catch is AbsentKey {
      return nil
    } catch {
      core.countTimeout(error)
      if !boarded.led { core.counters.coalesced.add() }
      throw error
    }
  }

  /// The load of a call under a scope, which has another table, and of one that shares nothing.
  @inline(never)
  private nonisolated(nonsending) func loadAlone(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    if let scoped = scoped(key) { return try await scoped.table.load(scoped.key, request) }
    let terms = try core.terms(of: request.policy)
    try core.checkScope(terms)
    try Task.checkCancellation()
    core.counters.misses.add()
    let seat = try flights.boardUnregistered(
      whenUnobserved: terms.fields.whenUnobserved ?? .cancel,
      limit: limit(key, memory.hash(of: key), terms)
    ) { [self] _ in
      try await produceOnly(key, request, terms)
    }
    let patience = startPatience(seat, terms.limits)
    defer {
      seat.leaveGraph()
      patience?.cancel()
    }
    core.note?.boards(joined: false)
    let end = await seat.flight.wait(in: seat.slot)
    do { return (try seat.output(after: end), false) } catch {
      core.countTimeout(error)
      throw error
    }
  }
}
