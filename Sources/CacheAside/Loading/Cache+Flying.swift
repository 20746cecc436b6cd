// What a flight does: look in the slower tiers, ask the producer, store in every tier, slowest first,
// memory last; when the producer fails, fall back to what has expired, as long as the policy lets it.
//
// A flight waits for its producer most of its life, and so may a hundred thousand others: what does
// not happen while it waits is in functions of its own, so that its frames fit into few blocks of its
// task's memory.

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
    let reads = request.mode.reads
    let isRefresh = refresh != nil
    if !reads, core.followsLedgers, !core.isClosed { await core.lookAtLedgers() }
    var slot = slot(key, hash, flight.registration, terms)
    var aged = refresh?.restingValue ?? (reads ? agedInMemory(key, hash, terms) : nil)
    if let aged { offer(aged, to: flight) }
    if reads, core.usesTiers {
      switch try await look(flight, slot, request, terms, refresh, aged) {
      case .answer(let loaded): return loaded
      case .none(let older): aged = older
      }
    }
    if let loaded = answerInstead(aged, slot, request.mode, terms, isRefresh) { return loaded }
    if !isRefresh { core.counters.misses.add() }
    // The tiers have just looked; what is produced from now on is newer than that.
    slot.marks = core.loadMarks
    var isAnswered = false
    do {
      let previous = request.producer.usesPrevious ? try await previous(slot) : nil
      let start = core.time.precise
      let answer =
        terms.fields.retries == nil
        ? try await produce(key, request, terms, previous)
        : try await produceAgain(key, request, terms, previous)
      let loadTime = max(0, core.time.precise - start)
      isAnswered = true
      sourceAnswered(terms, in: slot.registration.isOver ? 0 : loadTime)
      return try await store(
        answer,
        terms: terms,
        storing: request.storing,
        loadTime: loadTime,
        previous: previous,
        at: slot
      )
    } catch {
      return try loadEnded(error, isAnswered, aged, slot, request.mode, terms, isRefresh)
    }
  }

  /// What a load that has failed comes to.
  ///
  /// A function of its own, so that the frame of a load that waits for its producer holds none of it.
  @inline(never)
  private func loadEnded(
    _ error: any Error,
    _ isAnswered: Bool,
    _ aged: Aged<Value>?,
    _ slot: Slot<Key>,
    _ mode: CacheMode,
    _ terms: LoadTerms,
    _ isRefresh: Bool
  ) throws -> Loaded<Value> {
    // What comes after the load was given up is dropped, and has been counted.
    let isOver = slot.registration.isOver
    if !isAnswered, !(error is HeldBack) {
      sourceFailed(ObjectIdentifier(slot.registration), terms, error, isOver: isOver)
    }
    if isOver { throw error }
    if let held = error as? HeldBack {
      return try heldBack(held, slot.key, aged, mayServe: mode.reads)
    }
    if isRefresh { refreshFailed(slot.key, error) }
    return try fallBack(to: aged, error, slot, terms, mayServe: mode.reads)
  }

  /// What a load that would call its producer is answered with instead: its source rests.
  @inline(never)
  private func answerInstead(
    _ aged: Aged<Value>?,
    _ slot: Slot<Key>,
    _ mode: CacheMode,
    _ terms: LoadTerms,
    _ isRefresh: Bool
  ) -> Loaded<Value>? {
    // Another load of the key may have failed after the caller looked.
    if mode.reads, let aged, let loaded = serveStale(aged, slot.key, slot.hash, terms),
      loaded.stale == .resting
    {
      if !isRefresh { core.counters.staleServed.add() }
      return loaded
    }
    return mode == .renew ? atHandWhileBackingOff(slot.key, slot.hash, terms) : nil
  }

  /// The place of a load.
  func slot(
    _ key: Key,
    _ hash: UInt64,
    _ registration: Registration,
    _ terms: LoadTerms
  ) -> Slot<Key> {
    Slot(
      key: key,
      hash: hash,
      storeKey: core.hasTiers ? storeKey(key) : nil,
      registration: registration,
      begun: registration.begin(terms, core.stamps),
      marks: core.loadMarks
    )
  }

  /// What a flight that has looked in the slower tiers does.
  private enum Looked {
    case answer(Loaded<Value>)
    /// It asks the producer, and falls back to this.
    case none(Aged<Value>?)
  }

  /// Looks in the slower tiers for a flight.
  private func look(
    _ flight: Flight<Loaded<Value>>,
    _ slot: Slot<Key>,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms,
    _ refresh: Refresh<Value>?,
    _ aged: Aged<Value>?
  ) async throws -> Looked {
    guard let storeKey = slot.storeKey else { return .none(aged) }
    switch try await look(storeKey, terms, isCounted: refresh == nil) {
    case .fresh(let found) where refresh?.newerThan.map({ found.loaded.storedAt > $0 }) ?? true:
      await promote(found, storeKey, slot)
      if refresh == nil, let ahead = isDue(found, at: slot, terms) {
        startBackground(slot.key, slot.hash, request, terms, .ahead(ahead), replacing: flight)
      }
      return .answer(found.loaded(carrying: self.terms(of: found, at: slot)))
    case .aged(let found, var older) where aged.map({ older.storedAt > $0.storedAt }) ?? true:
      older.terms = self.terms(of: found, at: slot)
      if refresh == nil, let loaded = serveStale(older, slot.key, slot.hash, terms) {
        core.counters.staleServed.add()
        await promote(found, storeKey, slot)
        if loaded.stale == .revalidating {
          startBackground(slot.key, slot.hash, request, terms, .stale(older), replacing: flight)
        }
        return .answer(loaded)
      }
      offer(older, to: flight)
      return .none(older)
    default: return .none(aged)
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
    let isUsable = aged.map { !$0.isOut(core) && $0.isUsable(now) } ?? false
    // What loads without looking may have something to serve that it does not know of.
    if isUsable || !mayServe, terms.isFailure(error) {
      rest(slot.registration, slot.hashed, terms, now)
      if mayServe, let aged, aged.helps(now) { return aged.loaded(.loadFailed) }
    }
    remember(error, slot, terms, now)
    throw error
  }

  /// Lets the producer of a key rest after a failed load, unless a change of the key has come first:
  /// what failed was the load of what is gone.
  func rest(
    _ registration: Registration,
    _ key: HashedKey<Key>,
    _ terms: LoadTerms,
    _ now: Int64
  ) {
    failures.raise()
    let dropped = flights.ifOpen(registration, hash: key.hash) {
      // A load that was given up while it stored has failed for its waiters only.
      registration.isCommitted
        ? nil : rests.begin(key, until: Lifetime.sum(now, terms.rest))
    }
    if dropped ?? nil != nil { core.counters.rests.add() }
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
}
