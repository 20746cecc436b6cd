// What a flight does: look in the slower tiers, ask the producer, store in every tier, slowest first,
// memory last; when the producer fails, fall back to what has expired, as long as the policy lets it.

extension Cache {
  /// The body of a flight.
  ///
  /// - Parameters:
  ///   - flight: the flight.
  ///   - key: its key.
  ///   - hash: the key's hash.
  ///   - request: the leader's request.
  ///   - terms: its terms.
  ///   - refresh: why it runs although nobody waits for it, so that no lookup is counted.
  /// - Returns: what its waiters get.
  /// - Throws: what they get instead: the producer's error, that of a store under the fault policy
  ///   `.fail`, `CancellationError`.
  func fly(
    _ flight: Flight<Loaded<Value>>,
    _ key: Key,
    _ hash: UInt64,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms,
    _ refresh: Refresh<Value>?
  ) async throws -> Loaded<Value> {
    let reads = request.mode != .reload
    if !reads { await core.lookAtLedgers() }
    var slot = Slot(
      key: key,
      hash: hash,
      storeKey: core.hasTiers ? storeKey(key) : nil,
      registration: flight.registration,
      begun: flight.registration.begin(terms, core.stamps),
      marks: core.loadMarks
    )
    var aged = refresh?.restingValue ?? (reads ? agedInMemory(key, hash, terms) : nil)
    if let aged { offer(aged, to: flight) }
    if let storeKey = slot.storeKey, reads {
      switch try await look(storeKey, terms, isCounted: refresh == nil) {
      case .fresh(let found) where refresh?.newerThan.map({ found.loaded.storedAt > $0 }) ?? true:
        await promote(found, storeKey, slot)
        if refresh == nil, let ahead = isDue(found, at: slot, terms) {
          startBackground(key, hash, request, terms, .ahead(ahead), replacing: flight)
        }
        return found.loaded(carrying: self.terms(of: found, at: slot))
      case .aged(let found, var older) where aged.map({ older.storedAt > $0.storedAt }) ?? true:
        older.terms = self.terms(of: found, at: slot)
        aged = older
        if refresh == nil, let loaded = serveStale(older, key, hash) {
          core.counters.staleServed.add()
          await promote(found, storeKey, slot)
          if loaded.stale == .revalidating {
            startBackground(key, hash, request, terms, .stale(older), replacing: flight)
          }
          return loaded
        }
        offer(older, to: flight)
      default: break
      }
    }
    // Another load of the key may have failed after the caller looked: then the producer rests.
    if reads, let aged, let loaded = serveStale(aged, key, hash), loaded.stale == .resting {
      if refresh == nil { core.counters.staleServed.add() }
      return loaded
    }
    if refresh == nil { core.counters.misses.add() }
    // The tiers have just looked; what is produced from now on is newer than that.
    slot.marks = core.loadMarks
    do {
      let previous = try await previous(key, hash, slot.storeKey, request)
      let start = core.time.precise
      let produced = try await produce(key, request, terms, previous?.previous)
      return try await store(
        produced,
        terms: terms,
        storing: request.storing,
        loadTime: max(0, core.time.precise - start),
        previous: previous,
        at: slot
      )
    } catch {
      if refresh != nil { refreshFailed(key, error) }
      // What comes after the load was given up is dropped.
      if flight.registration.isOver { throw error }
      return try fallBack(to: aged, error, slot, terms, mayServe: reads)
    }
  }

  private func offer(_ aged: Aged<Value>, to flight: Flight<Loaded<Value>>) {
    flight.offer(aged.fallback(core))
  }

  /// What a load that failed comes to: a stale value, or its error.
  func fallBack(
    to aged: Aged<Value>?,
    _ error: any Error,
    _ slot: Slot<Key>,
    _ terms: LoadTerms,
    mayServe: Bool = true
  ) throws -> Loaded<Value> {
    let now = core.time.precise
    // A change of the key has come first: what failed was the load of what is gone.
    let isCurrent = !slot.registration.isSuperseded
    if let aged, !aged.isOut(core), terms.isFailure(error), aged.isUsable(now) {
      if isCurrent { rest(slot.hashed, terms, now) }
      if mayServe, aged.helps(now) { return aged.loaded(.loadFailed) }
    }
    if isCurrent { remember(error, slot.key, slot.hash, terms, now) }
    throw error
  }

  /// Runs the producer, again if it fails and the policy says so, when its turn comes.
  func produce(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms,
    _ previous: Previous<Value>?
  ) async throws -> Produced<Value> {
    let started = core.time.precise
    guard let retries = terms.fields.retries else {
      return try await produceOnce(key, request, previous)
    }
    var attempt = 1
    while true {
      do { return try await produceOnce(key, request, previous) } catch {
        guard
          !Task.isCancelled, !(error is CancellationError), terms.isFailure(error),
          let pause = retries.pause(before: attempt)
        else { throw error }
        let next = Lifetime.sum(core.time.precise, pause)
        guard next <= Lifetime.sum(started, terms.limits.hard), next != .max else { throw error }
        attempt += 1
        try await core.time.sleep(untilNanoseconds: next)
      }
    }
  }

  /// Runs the producer once and counts it.
  private func produceOnce(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ previous: Previous<Value>?
  ) async throws -> Produced<Value> {
    do {
      guard let bulkhead = core.bulkhead else { return try await timed(request, previous) }
      return try await bulkhead.run { [self] in try await timed(request, previous) }
    } catch {
      if !(error is CancellationError) { loadFailed(key, error) }
      throw error
    }
  }

  private func timed(
    _ request: LoadRequest<Value>,
    _ previous: Previous<Value>?
  ) async throws -> Produced<Value> {
    let start = core.time.precise
    let note = core.note
    let produced =
      note == nil
      ? try await request.producer(previous: previous)
      : try await Ambient.with(note: nil) { try await request.producer(previous: previous) }
    let loadTime = max(0, core.time.precise - start)
    core.counters.loads.add()
    core.counters.loadNanoseconds.add(UInt64(loadTime))
    note?.produces(in: loadTime)
    return produced
  }

  /// Lets the producer of a key rest after a failed load.
  func rest(_ key: HashedKey<Key>, _ terms: LoadTerms, _ now: Int64) {
    core.counters.rests.add()
    rests.begin(key, until: Lifetime.sum(now, terms.rest), now: now)
  }

  /// Counts and reports a load in the background that ended without a value.
  func refreshFailed(_ key: Key, _ error: any Error) {
    if error is CancellationError { return }
    core.counters.refreshFailures.add()
    core.report(.refreshFailed, key: strategy.derive(key), error: error)
  }

  /// Counts and reports a producer's failure.
  func loadFailed(_ key: Key, _ error: any Error) {
    core.counters.loadFailures.add()
    core.note?.fails(error)
    core.report(.loadFailed, key: strategy.derive(key), error: error)
  }

  func produceOnly(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms
  ) async throws -> Loaded<Value> {
    let produced = try await produce(key, request, terms, nil)
    let value = try produced.made(for: key)
    let now = core.time.precise
    return Loaded(value: value, source: .produced, storedAt: now, deadline: now)
  }
}
