// How a flight runs its producer: in its turn, counted, again if it fails and the policy says so.
//
// These frames last as long as the producer runs, so the rare ways have functions of their own.

extension Cache {
  /// Runs the producer, again if it fails and the policy says so, when its turn comes.
  func produceAgain(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms,
    _ previous: PreviousEntry<Value>?
  ) async throws -> ProducerAnswer<Value> {
    let started = core.time.precise
    var attempt = 1
    while true {
      do { return try await produce(key, request, terms, previous) } catch {
        guard
          !Task.isCancelled, !(error is HeldBack), !(error is CancellationError),
          terms.isFailure(error),
          let pause = terms.fields.retries?.pause(before: attempt)
        else { throw error }
        let next = Lifetime.sum(core.time.precise, pause)
        guard next <= Lifetime.sum(started, terms.limits.hard), next != .max else { throw error }
        attempt += 1
        try await core.time.sleep(untilNanoseconds: next)
      }
    }
  }

  /// Runs the producer once, when its turn comes, and counts it.
  func produce(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms,
    _ previous: PreviousEntry<Value>?
  ) async throws -> ProducerAnswer<Value> {
    do {
      // Whatever else may have to be waited for is in a function of its own, so that the frame of a
      // plain load stays small.
      if core.bulkhead == nil {
        guard let breaker = try admit(request.mode, terms) else {
          return try await timed(request, previous)
        }
        return try await probe(breaker, request, previous)
      }
      return try await produceInTurn(request, terms, previous)
    } catch {
      // A load that was given up has been counted; what its producer makes of that is no news.
      if !(error is CancellationError), !(error is HeldBack), FlightScope.current?.isOver != true {
        loadFailed(key, error)
      }
      throw error
    }
  }

  @inline(never)
  private func produceInTurn(
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms,
    _ previous: PreviousEntry<Value>?
  ) async throws -> ProducerAnswer<Value> {
    guard let bulkhead = core.bulkhead else { return try await timed(request, previous) }
    try checkBreaker(request.mode, terms)
    return try await bulkhead.run { [self] in
      if let breaker = try admit(request.mode, terms) {
        return try await probe(breaker, request, previous)
      }
      return try await timed(request, previous)
    }
  }

  @inline(never)
  private func probe(
    _ breaker: SharedBreaker,
    _ request: LoadRequest<Value>,
    _ previous: PreviousEntry<Value>?
  ) async throws -> ProducerAnswer<Value> {
    try await probing(breaker) { try await timed(request, previous) }
  }

  /// Runs a producer that tries whether its source answers again; once it is cancelled another may.
  @inline(never)
  func probing<Answer: Sendable>(
    _ breaker: SharedBreaker,
    _ load: Breaker.Load? = nil,
    _ producer: () async throws -> Answer
  ) async throws -> Answer {
    let load = load ?? FlightScope.current.map { ObjectIdentifier($0) }
    return try await withTaskCancellationHandler {
      try await producer()
    } onCancel: {
      if let load { breaker.end(load) }
    }
  }

  @inline(__always)
  private func timed(
    _ request: LoadRequest<Value>,
    _ previous: PreviousEntry<Value>?
  ) async throws -> ProducerAnswer<Value> {
    let start = core.time.precise
    let answer =
      core.note == nil
      ? try await request.producer(previous: previous)
      : try await untraced(request, previous)
    count(since: start)
    return answer
  }

  /// Runs a producer, whose calls have notes of their own.
  private func untraced(
    _ request: LoadRequest<Value>,
    _ previous: PreviousEntry<Value>?
  ) async throws -> ProducerAnswer<Value> {
    try await Ambient.with(note: nil) { try await request.producer(previous: previous) }
  }

  /// Counts and notes a run of a producer that has ended.
  private func count(since start: Int64) {
    let loadTime = max(0, core.time.precise - start)
    core.counters.loads.add()
    core.counters.loadNanoseconds.add(UInt64(loadTime))
    core.note?.produces(in: loadTime)
  }

  /// Stores what a load has produced.
  func store(
    _ answer: ProducerAnswer<Value>,
    terms: LoadTerms,
    storing: (@Sendable (Value) -> Bool)?,
    loadTime: Int64,
    previous: PreviousEntry<Value>?,
    at slot: Slot<Key>
  ) async throws -> Loaded<Value> {
    try await store(
      answer.produced,
      terms: terms,
      storing: storing,
      loadTime: loadTime,
      previous: previous,
      at: slot
    )
  }

  /// The body of a load that shares nothing.
  func produceOnly(
    _ key: Key,
    _ request: LoadRequest<Value>,
    _ terms: LoadTerms
  ) async throws -> Loaded<Value> {
    let answer =
      terms.fields.retries == nil
      ? try await produce(key, request, terms, nil)
      : try await produceAgain(key, request, terms, nil)
    let now = core.time.precise
    return Loaded(
      value: try answer.made(for: strategy.derive(key)),
      source: .produced,
      storedAt: now,
      deadline: now
    )
  }
}
