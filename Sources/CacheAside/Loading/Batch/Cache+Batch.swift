// A batch call: memory is asked once for each key, keys in flight are joined, the rest is loaded by one
// `BatchLoad`; then the caller waits for all of them together.

extension Cache where Key == CacheKey {
  /// A key as this table sees it while a scope is bound.
  func placed(_ key: CacheKey) -> CacheKey {
    guard key.namespace == nil, let scope = Ambient.scope else { return key }
    return key.within(core.namespace.scoped(scope))
  }

  /// What every key of a batch comes to.
  ///
  /// - Parameters:
  ///   - ids: the ids, in any order and number.
  ///   - request: the function.
  ///   - absences: where it is remembered what is absent.
  /// - Returns: the value of each id, `nil` for what is absent, or its error; in order.
  nonisolated(nonsending) func batch<ID>(
    _ ids: [ID],
    _ request: BatchRequest<ID, Value>,
    _ absences: Absences<Value>
  ) async -> [(ID, Result<Value?, any Error>)] {
    let keys = ids.map { placed(request.key($0)) }
    var answers: [CacheKey: Result<Value?, any Error>] = [:]
    var missing: [(id: ID, key: CacheKey, hash: UInt64)] = []
    var asked: Set<CacheKey> = []
    for (id, key) in zip(ids, keys) where asked.insert(key).inserted {
      let hash = memory.hash(of: key)
      if let value = memory.value(for: key, hash: hash) {
        answers[key] = .answer(value)
      } else {
        missing.append((id, key, hash))
      }
    }
    if !missing.isEmpty {
      for (key, answer) in await load(missing, request, absences) { answers[key] = answer }
    }
    return zip(ids, keys).map { ($0, answers[$1] ?? .success(nil)) }
  }

  private nonisolated(nonsending) func load<ID>(
    _ missing: [(id: ID, key: CacheKey, hash: UInt64)],
    _ request: BatchRequest<ID, Value>,
    _ absences: Absences<Value>
  ) async -> [(CacheKey, Result<Value?, any Error>)] {
    let limits: LoadLimits
    var (answers, seats): ([(CacheKey, Result<Value?, any Error>)], [BatchSeat<Value>]) = ([], [])
    do {
      if core.isClosed { return try await unshared(missing, request) }
      let terms = try core.terms(of: request.policy)
      try core.checkScope(terms)
      limits = terms.limits
      (answers, seats) = try board(missing, request, terms, absences)
    } catch {
      return missing.map { ($0.key, .failure(error)) }
    }
    let ends = await BatchWait(seats.map(\.seat)).run(limits, core.time)
    for (seat, end) in zip(seats, ends) { answers.append((seat.key, leave(seat.seat, end))) }
    return answers
  }

  private func board<ID>(
    _ missing: [(id: ID, key: CacheKey, hash: UInt64)],
    _ request: BatchRequest<ID, Value>,
    _ terms: LoadTerms,
    _ absences: Absences<Value>
  ) throws -> ([(CacheKey, Result<Value?, any Error>)], [BatchSeat<Value>]) {
    // Whoever is cancelled already loads nothing and is not counted.
    try Task.checkCancellation()
    var answers: [(CacheKey, Result<Value?, any Error>)] = []
    var seats: [BatchSeat<Value>] = []
    let load = BatchLoad(self, absences, request, terms)
    let again = Again(load)
    _ = load.work.reserve()
    for (id, key, hash) in missing {
      if let answer = answer(id, key, hash, terms, absences, again) {
        answers.append((key, answer))
        continue
      }
      switch load.board(id, key, hash) {
      case .answered(let answer): answers.append((key, answer))
      case .boarded(let seat): seats.append(seat)
      }
    }
    again.start()
    load.start()
    load.work.release { _ in true }
    return (answers, seats)
  }

  /// What memory answers although it has no plain hit; what is refreshed behind the answer is boarded.
  func answer<ID>(
    _ id: ID,
    _ key: CacheKey,
    _ hash: UInt64,
    _ terms: LoadTerms,
    _ absences: Absences<Value>,
    _ again: Again<ID, Value>
  ) -> Result<Value?, any Error>? {
    do {
      if let (loaded, refresh) = try answer(key, hash, terms) {
        if let refresh { again.board(id, key, hash, refresh) }
        return .answer(loaded.value)
      }
    } catch {
      return .failure(error)
    }
    return absences.hold(key) ? .success(nil) : nil
  }

  /// What the caller gets for a key when its wait has ended.
  func leave(_ seat: FlightSeat<Loaded<Value>>, _ end: Waiter.End) -> Result<Value?, any Error> {
    seat.leaveGraph()
    if seat.joined { core.counters.coalesced.add() }
    do {
      let loaded = try seat.output(after: end)
      if loaded.isFallback { core.counters.staleFallbacks.add() }
      return .answer(loaded.value)
    } catch is AbsentKey {
      return .success(nil)
    } catch {
      return .failure(error)
    }
  }

  /// The call of a closed cache: it goes straight to its producer.
  private nonisolated(nonsending) func unshared<ID>(
    _ missing: [(id: ID, key: CacheKey, hash: UInt64)],
    _ request: BatchRequest<ID, Value>
  ) async throws -> [(CacheKey, Result<Value?, any Error>)] {
    let values = try await request.producer(missing.map(\.id))
    return missing.map { missed in
      (missed.key, values[missed.id].map { .answer($0) } ?? .success(nil))
    }
  }
}
