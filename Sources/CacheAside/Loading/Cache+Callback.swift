extension Cache {
  /// Loads through a callback producer, sharing flights with every other caller of the key.
  ///
  /// The block runs on this thread when this call leads. The completion is called exactly once: at
  /// once for a hit of memory or a blocking store, within this call when the block answers
  /// synchronously, else on the thread that answers. A stale value is returned at once where the
  /// policy allows it, and the block then runs behind it. Loads of blocks take no turn among
  /// `maximumConcurrentLoads`, since they cannot wait.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - block: the callback producer.
  ///   - completion: receives the outcome or the error.
  func load(
    _ key: Key,
    block: CacheBlock<Value>,
    completion: @escaping @Sendable (Result<CacheOutcome<Value>, any Error>) -> Void
  ) {
    if let scoped = scoped(key) {
      return scoped.table.load(scoped.key, block: block, completion: completion)
    }
    if let note = newNote(key, "default") {
      return noting(note, completion) { load(key, block: block, completion: $0) }
    }
    let terms = core.terms
    do { try core.checkScope(terms) } catch { return completion(.failure(error)) }
    let hash = memory.hash(of: key)
    if let hit = memoryHit(key) { return completion(.success(outcome(hit, joined: false))) }
    do {
      if let (loaded, refresh) = try answer(key, hash, terms) {
        if let refresh { noteLoadBehind(refresh, key, hash) }
        completion(.success(outcome(loaded, joined: false)))
        if let refresh { runBehind(key, hash, refresh, block) }
        return
      }
    } catch {
      return completion(.failure(error))
    }
    // The look at the stores counts, too.
    let patience = Patience(terms.limits, core.time)
    var aged = agedInMemory(key, hash, terms)
    let (fresh, older) = lookBlocking(key, hash)
    if let fresh { return completion(.success(outcome(fresh, joined: false))) }
    if let older, aged.map({ older.storedAt > $0.storedAt }) ?? true {
      aged = older
      if let loaded = serveStale(older, key, hash, terms) {
        core.counters.staleServed.add()
        if loaded.stale == .revalidating { noteLoadBehind(.stale(older), key, hash) }
        completion(.success(outcome(loaded, joined: false)))
        if loaded.stale == .revalidating { runBehind(key, hash, .stale(older), block) }
        return
      }
    }
    lead(key, hash, aged, patience, block, completion)
  }

  private func lead(
    _ key: Key,
    _ hash: UInt64,
    _ aged: Aged<Value>?,
    _ patience: Patience?,
    _ block: CacheBlock<Value>,
    _ completion: @escaping @Sendable (Result<CacheOutcome<Value>, any Error>) -> Void
  ) {
    // A block cannot run again later, when it turns out that the load it has joined was invalidated
    // before it came; so it joins none that began before the last invalidation by tag or scope.
    flights.closeReaders(key, hash: hash, begunBefore: core.stamps.now)
    // In a closed cache every call runs its own block, which nobody can join.
    let flights = core.isClosed ? FlightTable(time: core.time, naming: strategy.derive) : flights
    let note = core.note
    let begun = note == nil ? 0 : core.time.precise
    flights.loadCallback(
      key,
      hash: hash,
      patience: patience,
      limit: limit(key, hash, core.terms),
      probe: { lateHit(key, hash) ?? aged.flatMap { resting($0, key, hash, core.terms) } },
      start: { answer in
        core.counters.misses.add()
        note?.boards(joined: false)
        if let aged { answer.offer(aged.fallback(core)) }
        run(block, answer, aged, at: slot(key, hash, answer.registration))
      },
      onRelease: { [self] flight, error in
        released(slot(key, hash, flight.registration), aged, error)
      },
      onSecondAnswer: { [core, strategy] in
        core.report(.answeredTwice, key: strategy.derive(key))
      },
      completion: { [self] result, joined in
        if joined {
          core.counters.coalesced.add()
          note?.boards(joined: true, at: begun)
        }
        switch result {
        case .success(let loaded): if loaded.isFallback { core.counters.staleFallbacks.add() }
        case .failure(let error): core.countTimeout(error)
        }
        completion(result.map { outcome($0, joined: joined) })
      }
    )
  }

  /// Runs a block behind an answer that its caller has got already.
  private func runBehind(
    _ key: Key,
    _ hash: UInt64,
    _ refresh: Refresh<Value>,
    _ block: CacheBlock<Value>
  ) {
    guard mayLoadBehind(key, hash, core.terms), let permit = core.enterBackground() else { return }
    let aged = refresh.restingValue
    let isStarted = flights.startBackgroundCallback(
      key,
      hash: hash,
      limit: backgroundLimit(key, hash, core.terms, aged, permit),
      probe: { overtaken(refresh, key, hash, core.terms) },
      start: { run(block, $0, aged, permit, at: slot(key, hash, $0.registration)) },
      onRelease: { [self, weak permit] flight, error in
        permit?.release()
        defer { refreshFailed(key, error) }
        return released(slot(key, hash, flight.registration), aged, error)
      },
      onSecondAnswer: { [core, strategy] in
        core.report(.answeredTwice, key: strategy.derive(key))
      }
    )
    if isStarted { core.counters.refreshes.add() }
  }

  private func slot(
    _ key: Key,
    _ hash: UInt64,
    _ registration: Registration
  ) -> Slot<Key> {
    slot(key, hash, registration, core.terms)
  }

  private func outcome(_ loaded: Loaded<Value>, joined: Bool) -> CacheOutcome<Value> {
    loaded.outcome(joined: joined, now: core.time.precise)
  }

  /// What a flight ends with whose block released its handlers.
  private func released(
    _ slot: Slot<Key>,
    _ aged: Aged<Value>?,
    _ error: CacheError
  ) -> Result<Loaded<Value>, any Error> {
    let isOver = slot.registration.isOver
    sourceFailed(ObjectIdentifier(slot.registration), core.terms, error, isOver: isOver)
    if isOver { return .failure(error) }
    loadFailed(slot.key, error)
    return Result { try fallBack(to: aged, error, slot, core.terms) }
  }

  /// Runs the block; its first answer is stored on the thread that gives it, then released.
  ///
  /// A load in the background has a permit, which only its limit holds: what gives the load up cancels that,
  /// while a block may keep its handlers for ever.
  private func run(
    _ block: CacheBlock<Value>,
    _ answer: CallbackAnswer<Loaded<Value>>,
    _ aged: Aged<Value>?,
    _ permit: Permit? = nil,
    at slot: Slot<Key>
  ) {
    do { _ = try admit(.default, core.terms, ObjectIdentifier(slot.registration)) } catch {
      return answer.answer {
        permit?.release()
        guard let held = error as? HeldBack else { return .failure(error) }
        return Result { try heldBack(held, slot.key, aged) }
      }
    }
    let start = core.time.precise
    let isBackground = permit != nil
    let note = isBackground ? nil : core.note
    let success = { @Sendable [self, weak permit] (value: Value, expiry: Expiry) in
      answer.answer {
        permit?.release()
        core.counters.loads.add()
        let loadTime = max(0, core.time.precise - start)
        core.counters.loadNanoseconds.add(UInt64(loadTime))
        note?.produces(in: loadTime)
        sourceAnswered(core.terms, in: loadTime)
        let produced = Produced(value, expiry: expiry, isStored: !core.isClosed)
        return Result {
          try note.running {
            try storeBlocking(
              produced,
              terms: core.terms,
              loadTime: loadTime,
              keepsExpired: true,
              at: slot
            )
          }
        }
      }
    }
    let failure = { @Sendable [self, weak permit] (error: any Error) in
      answer.answer {
        permit?.release()
        let isOver = answer.registration.isOver
        sourceFailed(ObjectIdentifier(answer.registration), core.terms, error, isOver: isOver)
        if error is CancellationError || isOver { return .failure(error) }
        note.running { loadFailed(slot.key, error) }
        if isBackground { refreshFailed(slot.key, error) }
        return Result { try fallBack(to: aged, error, slot, core.terms) }
      }
    }
    if Ambient.trace == nil { return block(success, failure) }
    Ambient.with(note: nil, isTraced: !isBackground) { block(success, failure) }
  }
}
