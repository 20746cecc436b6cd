// The slow path of a call: probe, join or lead a flight; inside the flight look in the slower tiers,
// ask the producer, store in every tier, slowest first, memory last.

/// A call's seat, and whether it led its flight, so that one that throws is counted as one thing.
private struct Boarded<Value: Sendable>: Sendable {
  let seat: FlightSeat<Loaded<Value>>
  let led: Bool
}

extension Cache {
  /// A whole lookup in any mode: memory first, where the mode reads.
  nonisolated(nonsending) func lookup(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    if let scoped = scoped(key) { return try await scoped.table.lookup(scoped.key, request) }
    switch request.mode.kind {
    case .standard, .cacheOnly:
      if let loaded = memoryHit(key) { return (loaded, false) }
      if request.mode == .default { return try await load(key, request) }
      if let loaded = try await readTiers(key, anyAge: false) { return (loaded, false) }
      throw CacheError(
        .notCached,
        "nothing fresh is cached and the mode is .cacheOnly; load it in another mode first",
        key: strategy.derive(key)
      )
    case .anyAge:
      if let loaded = memoryHit(key) ?? memoryEntry(key) { return (loaded, false) }
      if let loaded = try await readTiers(key, anyAge: true, thenLoads: true) {
        return (loaded, false)
      }
      return try await load(key, request)
    case .reload, .bypass:
      return try await load(key, request)
    }
  }

  /// A fresh hit of the memory table with its times; counted as a hit.
  func memoryHit(_ key: Key) -> Loaded<Value>? {
    let hash = memory.hash(of: key)
    guard let value = memory.value(for: key, hash: hash) else { return nil }
    let entry = memory.entry(for: key, hash: hash)
    let now = core.time.precise
    return Loaded(
      value: value,
      source: .memory,
      storedAt: entry?.storedAt ?? now,
      deadline: entry?.deadline ?? .max
    )
  }

  /// An entry of the memory table of any age, served on request when no fresh one was found.
  func memoryEntry(_ key: Key) -> Loaded<Value>? {
    guard let entry = memory.entry(for: key, hash: memory.hash(of: key)) else { return nil }
    // Another call may have stored it meanwhile.
    let isFresh = core.time.precise < entry.deadline
    (isFresh ? core.counters.lateHits : core.counters.staleServed).add()
    return Loaded(
      value: entry.value,
      source: .memory,
      storedAt: entry.storedAt,
      deadline: entry.deadline,
      isFresh: isFresh
    )
  }

  /// Joins or leads the key's flight.
  ///
  /// What comes before the wait and after it is synchronous, in functions of its own: each caller
  /// that waits keeps the frame of this function, which so holds little more than a seat.
  nonisolated(nonsending) func load(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> (loaded: Loaded<Value>, joined: Bool) {
    guard let boarded = try board(key, request) else {
      return try await loadAlone(key, request)
    }
    let end = await boarded.seat.flight.wait(in: boarded.seat.slot)
    return (try leave(boarded, end), boarded.seat.joined)
  }

  /// A place in the key's flight; `nil` if the call has to go elsewhere.
  @inline(never)
  private func board(_ key: Key, _ request: LoadRequest<Value>) throws -> Boarded<Value>? {
    if core.isClosed || request.mode == .bypass || scoped(key) != nil { return nil }
    let policy = request.policy.inheriting(from: core.policy)
    if let expiry = policy.expiry { _ = try Lifetime(expiry, wall: 0) }
    // Whoever is cancelled already loads nothing and is not counted.
    try Task.checkCancellation()
    let hash = memory.hash(of: key)
    let reads = request.mode != .reload
    var led = false
    do {
      let seat = try flights.board(
        key,
        hash: hash,
        whenUnobserved: policy.whenUnobserved ?? .cancel,
        supersede: !reads,
        probe: {
          // Asked of the leader, before it can be cancelled.
          led = true
          return reads ? lateHit(key, hash) : nil
        },
        run: { [self] registration in
          try await fly(registration, key, hash, request, policy)
        }
      )
      return Boarded(seat: seat, led: led)
    } catch {
      if !led { core.counters.coalesced.add() }
      throw error
    }
  }

  /// What the caller gets when its wait has ended.
  @inline(never)
  private func leave(_ boarded: Boarded<Value>, _ end: Waiter.End) throws -> Loaded<Value> {
    boarded.seat.leaveGraph()
    do {
      let loaded = try boarded.seat.output(after: end)
      if boarded.seat.joined { core.counters.coalesced.add() }
      return loaded
    } catch {
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
    let policy = request.policy.inheriting(from: core.policy)
    if let expiry = policy.expiry { _ = try Lifetime(expiry, wall: 0) }
    try Task.checkCancellation()
    core.counters.misses.add()
    let loaded = try await flights.runUnregistered(
      whenUnobserved: policy.whenUnobserved ?? .cancel
    ) { [self] _ in
      try await produceOnly(key, request)
    }
    return (loaded, false)
  }

  /// The body of a flight.
  private func fly(
    _ registration: Registration,
    _ key: Key,
    _ hash: UInt64,
    _ request: LoadRequest<Value>,
    _ policy: CachePolicy
  ) async throws -> Loaded<Value> {
    let storeKey = core.hasTiers ? storeKey(key) : nil
    if let storeKey, request.mode != .reload {
      if let found = try await findCounting(storeKey, anyAge: false) {
        await promote(found, storeKey, key, hash, registration)
        return found.loaded
      }
    } else {
      core.counters.misses.add()
    }
    let produced = try await produce(key, request)
    return try await store(
      produced,
      policy: policy,
      storing: request.storing,
      at: Slot(key: key, hash: hash, storeKey: storeKey, registration: registration)
    )
  }

  /// Runs the producer and counts it.
  func produce(_ key: Key, _ request: LoadRequest<Value>) async throws -> Produced<Value> {
    let start = core.time.precise
    do {
      let produced = try await request.produce()
      core.counters.loads.add()
      core.counters.loadNanoseconds.add(UInt64(max(0, core.time.precise - start)))
      return produced
    } catch {
      if !(error is CancellationError) { loadFailed(key, error) }
      throw error
    }
  }

  /// Counts and reports a producer's failure.
  func loadFailed(_ key: Key, _ error: any Error) {
    core.counters.loadFailures.add()
    core.report(.loadFailed, key: strategy.derive(key), error: error)
  }

  private func produceOnly(_ key: Key, _ request: LoadRequest<Value>) async throws -> Loaded<Value>
  {
    let produced = try await produce(key, request)
    let now = core.time.precise
    return Loaded(value: produced.value, source: .produced, storedAt: now, deadline: now)
  }
}
