// The slow path of a call: probe, serve stale where the policy allows it, else join or lead a flight.
// What a flight does is in `Cache+Flying.swift`.

/// What a call that has found nothing fresh in memory does.
private enum Boarding<Value: Sendable>: Sendable {
  /// It is answered already.
  case answered(Loaded<Value>)
  /// It waits for a flight in its seat.
  case boarded(FlightSeat<Loaded<Value>>)
  /// It shares nothing, or has another table.
  case elsewhere
  /// A load behind answers runs, and only the slower tiers know whether what it replaces is still there.
  case beside(Flight<Loaded<Value>>)
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
      return try await lookThenLoad(key, request)
    case .cacheThenRefresh:
      return try await lookThenLoad(key, request)
    case .reload, .renew, .bypass:
      return try await load(key, request)
    }
  }

  /// Takes what the slower tiers have, in a mode that asks them first, else loads; the caller's
  /// patience counts from the look.
  @inline(never)
  private nonisolated(nonsending) func lookThenLoad(
    _ key: Key,
    _ asked: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    let terms = try core.terms(of: asked.policy)
    var request = asked
    request.patience = .counting(terms.limits, core.time)
    if request.mode.kind == .anyAge {
      if let loaded = try await readTiers(key, anyAge: true, thenLoads: true) {
        return (loaded, false)
      }
    } else if let loaded = try await cachedForRefresh(key, terms) {
      request.mode = .renew
      startBackground(key, memory.hash(of: key), request, terms, .asked)
      return (loaded, false)
    }
    return try await load(key, request)
  }

  /// Joins or leads the key's flight.
  nonisolated(nonsending) func load(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    if let note = newNote(key, request.mode.description) {
      return try await tracedLoad(key, request, note)
    }
    let answer = try await ride(
      key,
      request.mode,
      request.policy,
      request.storing,
      request.producer,
      request.patience
    )
    if let answer { return answer }
    return try await loadAlone(key, request)
  }

  /// Joins or leads the key's flight; `nil` for a load that shares nothing, has another table or is
  /// to be noted, and without a mode while one is bound.
  ///
  /// Each caller that waits keeps the frame that this is inlined into. What comes before the wait and
  /// after it is synchronous, and what happens instead is in functions of its own, so that the frame
  /// holds little more than the call and its place.
  @inline(__always)
  private nonisolated(nonsending) func ride(
    _ key: Key,
    _ mode: CacheMode?,
    _ policy: CachePolicy,
    _ storing: (@Sendable (Value) -> Bool)?,
    _ producer: Producer<Value>,
    _ begun: PatienceTimer? = nil
  ) async throws -> (loaded: Loaded<Value>, joined: Bool)? {
    // Ends the wait of a caller that waits only so long.
    var patience = begun
    while true {
      switch try board(&patience, key, mode, policy, storing, producer) {
      case .answered(let loaded): return (loaded, false)
      case .elsewhere: return nil
      case .beside(let flight):
        if let loaded = try await lookBeside(flight, key, policy) { return (loaded, false) }
      case .boarded(let seat):
        let end = await seat.wait()
        // What was invalidated meanwhile, or a batch found to be absent, is looked for again.
        if let loaded = try leave(seat, patience, end) { return (loaded, seat.joined) }
      }
    }
  }

  /// The load of a call that names no mode: the bound one counts, for which memory was not asked.
  @usableFromInline @inline(never)
  nonisolated(nonsending) func miss(
    _ key: Key,
    _ policy: CachePolicy,
    _ producer: Producer<Value>
  ) async throws -> Value {
    if let answer = try await ride(key, nil, policy, nil, producer) { return answer.loaded.value }
    return try await missElsewhere(key, policy, producer)
  }

  /// The same in another mode, under a trace, in another table, and where nothing is shared.
  @inline(never)
  private nonisolated(nonsending) func missElsewhere(
    _ key: Key,
    _ policy: CachePolicy,
    _ producer: Producer<Value>
  ) async throws -> Value {
    let mode = Ambient.mode
    let request = LoadRequest(mode: mode, policy: policy, storing: nil, producer: producer)
    let (loaded, _) =
      mode == .default ? try await load(key, request) : try await lookup(key, request)
    return loaded.value
  }

  /// A place in the key's flight, or an answer without one.
  @inline(never)
  private func board(
    _ patience: inout PatienceTimer?,
    _ key: Key,
    _ mode: CacheMode?,
    _ policy: CachePolicy,
    _ storing: (@Sendable (Value) -> Bool)?,
    _ producer: Producer<Value>
  ) throws -> Boarding<Value> {
    if mode == nil, Ambient.mode != .default || isNoted { return .elsewhere }
    let request = LoadRequest(
      mode: mode ?? .default,
      policy: policy,
      storing: storing,
      producer: producer
    )
    if core.isClosed || request.mode == .bypass || scoped(key) != nil { return .elsewhere }
    let terms = try core.terms(of: request.policy)
    try core.checkScope(terms)
    let hash = memory.hash(of: key)
    let joinedAt = core.stamps.now
    let reads = request.mode.reads
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
        joinedAt: joinedAt,
        supersede: request.mode == .reload,
        limit: limit(key, hash, terms, reads: reads),
        probe: {
          // Asked of the leader, before it can be cancelled.
          led = true
          return reads ? lateHit(key, hash) : nil
        },
        run: { [self, request] flight in
          try await fly(flight, key, hash, request, terms, nil)
        }
      )
      if reads, seat.joined, let loaded = seat.flight.fallback(.revalidating) {
        seat.leaveGraph()
        seat.flight.withdraw(seat.slot)
        if core.readsTiersOnly {
          patience = patience ?? .counting(terms.limits, core.time)
          return .beside(seat.flight)
        }
        (loaded.isFresh ? core.counters.storeHits : core.counters.staleServed).add()
        return .answered(loaded)
      }
      core.note?.boards(joined: seat.joined)
      patience = startPatience(seat, terms.limits, after: patience)
      return .boarded(seat)
    } catch {
      if !led { core.counters.coalesced.add() }
      throw error
    }
  }

  /// Ends the wait of a caller that waits only so long, counted from its first wait on, be it for a look
  /// at the stores.
  func startPatience(
    _ seat: FlightSeat<Loaded<Value>>,
    _ limits: LoadLimits,
    after earlier: PatienceTimer? = nil
  ) -> PatienceTimer? {
    guard let patience = earlier?.patience ?? Patience(limits, core.time) else { return nil }
    return PatienceTimer(patience, in: seat)
  }

  /// What the caller gets when its wait has ended; `nil` if it has to look again.
  @inline(never)
  private func leave(
    _ seat: FlightSeat<Loaded<Value>>,
    _ patience: PatienceTimer?,
    _ end: Waiter.End
  ) throws -> Loaded<Value>? {
    seat.leaveGraph()
    patience?.cancel()
    do {
      let loaded = try seat.output(after: end)
      if seat.joined, isTooOld(loaded, since: seat.joinedAt) { return nil }
      if seat.joined { core.counters.coalesced.add() }
      if loaded.isFallback { core.counters.staleFallbacks.add() }
      return loaded
    } catch is AbsentKey {
      return nil
    } catch {
      core.countTimeout(error)
      // A flight that throws is counted as one thing, by its leader.
      if seat.joined { core.counters.coalesced.add() }
      throw error
    }
  }
}
