// When a source is left alone. A key backs off for `retryAfterFailure` after a failed load
// (`FailureRests`); all keys of a source do while its breaker is open. Both hold back every load that
// nobody waits for, whatever started it; the breaker also those that somebody waits for. A call that
// says `.reload`, or `refresh`, is never held back, and what it comes to counts like any other load's.

/// A load was not let through to its source, which failed with this before.
struct HeldBack: Error {
  let cause: any Error
}

extension Cache {
  /// The breaker of a load; `nil` for one that has none.
  func breaker(_ terms: LoadTerms) -> SharedBreaker? {
    // In a closed cache every call goes straight to its producer.
    if core.isClosed { return nil }
    return switch terms.breaker.kind {
    case .off: nil
    case .function: ownBreaker
    case .feature: core.breaker
    }
  }

  /// Whether an open breaker holds loads back.
  func isBroken(_ terms: LoadTerms, _ now: Int64) -> Bool {
    breaker(terms)?.holdsBack(now) ?? false
  }

  /// Whether a load of the key is better not started, since its source has failed a short while ago.
  func isBackingOff(
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms,
    _ now: Int64
  ) -> Bool {
    rests.covers(HashedKey(key: key, hash: hash), now: now) || isBroken(terms, now)
  }

  /// Whether a load may start that nobody waits for; every one of them asks here.
  func mayLoadBehind(_ key: Key, _ hash: UInt64, _ terms: LoadTerms) -> Bool {
    !core.isClosed && !isBackingOff(key, hash, terms, core.time.precise)
  }

  /// Why an expired value is returned by a call that would load it again behind the answer.
  func staleReason(_ key: Key, _ hash: UInt64, _ terms: LoadTerms) -> StaleReason {
    isBackingOff(key, hash, terms, core.time.precise) ? .resting : .revalidating
  }

  /// What a load without a look at the cache comes to, that nobody waits for, when another load of the
  /// key has failed since it was asked for.
  ///
  /// - Returns: what memory has; `nil` to load all the same, for those who have joined.
  func atHandWhileBackingOff(
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms
  ) -> Loaded<Value>? {
    let now = core.time.precise
    guard isBackingOff(key, hash, terms, now), let entry = memory.entry(for: key, hash: hash)
    else { return nil }
    let aged = aged(entry, terms)
    return aged.isUsable(now) ? aged.loaded(now < aged.deadline ? nil : .resting) : nil
  }

  /// Waits for the load of a value that is shown already, joining one that runs.
  ///
  /// - Throws: `CacheError` with the code `backingOff` where none runs and none may start.
  nonisolated(nonsending) func renew(
    _ key: Key,
    _ request: LoadRequest<Value>
  ) async throws -> Loaded<Value> {
    if let scoped = scoped(key) { return try await scoped.table.renew(scoped.key, request) }
    let hash = memory.hash(of: key)
    let hashed = HashedKey(key: key, hash: hash)
    if !core.isClosed, flights.stripe(hash).flight(hashed) == nil {
      let terms = try core.terms(of: request.policy)
      guard mayLoadBehind(key, hash, terms) else {
        throw CacheError(
          .backingOff,
          "a load has failed a short while ago, and the next waits for retryAfterFailure",
          key: strategy.derive(key)
        )
      }
    }
    var renewal = request
    renewal.mode = .renew
    return try await lookup(key, renewal).loaded
  }

  // MARK: The breaker

  /// Lets a load ask its source.
  ///
  /// - Parameters:
  ///   - mode: how it loads: an explicit `.reload` is never held back, and `.bypass` is not the cache's.
  ///   - terms: its terms.
  ///   - load: who it is; `nil` is the flight that the current code works for.
  /// - Returns: the breaker, if it is the one load that tries whether the source answers again.
  /// - Throws: ``HeldBack``.
  func admit(
    _ mode: CacheMode,
    _ terms: LoadTerms,
    _ load: Breaker.Load? = nil
  ) throws -> SharedBreaker? {
    guard mode != .reload, mode != .bypass, let breaker = breaker(terms) else { return nil }
    let admission = breaker.admit(
      load ?? FlightScope.current.map { ObjectIdentifier($0) },
      now: core.time.precise,
      pause: terms.rest
    )
    switch admission {
    case .free: return nil
    case .probe: return breaker
    case .heldBack(let cause): throw HeldBack(cause: cause)
    }
  }

  /// Holds a load back before it waits for its turn; whoever goes on asks again with its turn.
  func checkBreaker(_ mode: CacheMode, _ terms: LoadTerms) throws {
    guard mode != .reload, mode != .bypass, let breaker = breaker(terms) else { return }
    let state = breaker.current
    guard let cause = state.cause, state.holdsBack(core.time.precise) else { return }
    throw HeldBack(cause: cause)
  }

  /// A source has answered a load.
  ///
  /// - Parameters:
  ///   - terms: the load's terms.
  ///   - nanoseconds: how long it took; zero for one that was given up.
  func sourceAnswered(_ terms: LoadTerms, in nanoseconds: Int64) {
    flights.loadTimes.note(nanoseconds)
    guard let breaker = breaker(terms), breaker.succeed() == .closed else { return }
    core.report(.breakerClosed)
  }

  /// A load has ended without an answer, after its retries.
  ///
  /// - Parameters:
  ///   - load: who it is.
  ///   - terms: its terms.
  ///   - error: what it ended with.
  ///   - isOver: whether that is no news, since it was given up before.
  func sourceFailed(
    _ load: Breaker.Load,
    _ terms: LoadTerms,
    _ error: any Error,
    isOver: Bool = false
  ) {
    guard let breaker = breaker(terms) else { return }
    if isOver || !terms.isFailure(error) { return breaker.end(load) }
    broke(breaker, load, terms, error)
  }

  /// A load took longer than it may, whatever errors count.
  func sourceHung(_ load: Breaker.Load, _ terms: LoadTerms, _ error: any Error) {
    if let breaker = breaker(terms) { broke(breaker, load, terms, error) }
  }

  private func broke(
    _ breaker: SharedBreaker,
    _ load: Breaker.Load,
    _ terms: LoadTerms,
    _ error: any Error
  ) {
    let change = breaker.fail(
      load,
      error,
      now: core.time.precise,
      pause: terms.rest,
      limit: terms.failuresToBackOff
    )
    guard change == .opened else { return }
    core.counters.breakerOpenings.add()
    core.report(.breakerOpened, error: error)
  }

  /// What a load comes to that was held back: a stale value, or an error at once.
  func heldBack(
    _ held: HeldBack,
    _ key: Key,
    _ aged: Aged<Value>?,
    mayServe: Bool = true
  ) throws -> Loaded<Value> {
    core.counters.heldBackLoads.add()
    core.note?.decides(.breaker)
    let now = core.time.precise
    if mayServe, let aged, !aged.isOut(core), aged.revalidates(now) || aged.helps(now) {
      return aged.loaded(.resting)
    }
    throw CacheError(
      .backingOff,
      "the source failed several times in a row, so this load was held back; one load each "
        + "retryAfterFailure tries it again",
      key: strategy.derive(key),
      cause: held.cause
    )
  }
}
