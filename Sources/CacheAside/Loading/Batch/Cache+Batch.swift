// A batch call: in the default mode memory is asked once for each key, keys in flight are joined, the
// rest is loaded by one `BatchLoad`; then the caller waits for all of them together. The other modes
// mean for each key what they mean for a call of one: those that read before they load do so in
// `Cache+BatchReading.swift`.

/// What a batch's caller gets for a key.
typealias BatchAnswer<Value> = (key: CacheKey, result: Result<Value?, any Error>)

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
  ///   - mode: how the cache is used for each of them.
  /// - Returns: the value of each id, `nil` for what is absent, or its error; in order.
  nonisolated(nonsending) func batch<ID>(
    _ ids: [ID],
    _ request: BatchRequest<ID, Value>,
    _ absences: Absences<Value>,
    _ mode: CacheMode
  ) async -> [(ID, Result<Value?, any Error>)] {
    let keys = ids.map { placed(request.key($0)) }
    var answers: [CacheKey: Result<Value?, any Error>] = [:]
    var missing: [BatchAsk<ID>] = []
    var asked: Set<CacheKey> = []
    let number = newBatch()
    for (id, key) in zip(ids, keys) where asked.insert(key).inserted {
      let ask = ask(id, key, mode, batch: number)
      if mode == .default, let value = hit(ask) {
        answers[key] = .answer(value)
      } else {
        missing.append(ask)
      }
    }
    var patience: Patience?
    if mode.readsFirst {
      patience = self.patience(request)
      let (found, rest) = await read(missing, request, absences, mode)
      for (key, answer) in found { answers[key] = answer }
      missing = rest
    }
    for (key, answer) in await load(missing, request, absences, mode, patience) {
      answers[key] = answer
    }
    return zip(ids, keys).map { ($0, answers[$1] ?? .success(nil)) }
  }

  /// Until when the caller waits of a call that begins now; what is wrong with its terms is found later.
  func patience<ID>(_ request: BatchRequest<ID, Value>) -> Patience? {
    (try? core.terms(of: request.policy)).flatMap { Patience($0.limits, core.time) }
  }

  private nonisolated(nonsending) func load<ID>(
    _ missing: [BatchAsk<ID>],
    _ request: BatchRequest<ID, Value>,
    _ absences: Absences<Value>,
    _ mode: CacheMode,
    _ begun: Patience?
  ) async -> [BatchAnswer<Value>] {
    var answers: [BatchAnswer<Value>] = []
    var open = missing
    var patience = begun
    while !open.isEmpty {
      let terms: LoadTerms
      let boarded: BatchBoarded<ID, Value>
      do {
        if core.isClosed { return try await answers + unshared(open, request) }
        terms = try core.terms(of: request.policy)
        try core.checkScope(terms)
        boarded = try board(open, request, terms, absences, mode.ofLoad)
        answers += boarded.answers
      } catch {
        return answers + open.map { ($0.key, endFailed($0.note, error)) }
      }
      // Whoever looks at the stores, or has to look again, waits no longer for that.
      patience = patience ?? Patience(terms.limits, core.time)
      let (found, rest) = await lookBeside(boarded.beside, terms)
      answers += found
      open = rest
      let ends = await BatchWait(boarded.seats.map(\.seat)).run(patience, core.time)
      for (seat, end) in zip(boarded.seats, ends) {
        if let answer = leave(seat, end) {
          answers.append((seat.ask.key, answer))
        } else {
          open.append(seat.ask)
        }
      }
    }
    return answers
  }

  private func board<ID>(
    _ missing: [BatchAsk<ID>],
    _ request: BatchRequest<ID, Value>,
    _ terms: LoadTerms,
    _ absences: Absences<Value>,
    _ mode: CacheMode
  ) throws -> BatchBoarded<ID, Value> {
    // Whoever is cancelled already loads nothing and is not counted.
    try Task.checkCancellation()
    var boarded = BatchBoarded<ID, Value>()
    let load = BatchLoad(self, absences, request, terms, mode: mode)
    let behind = BatchBehind(load)
    _ = load.work.reserve()
    for ask in missing {
      if mode == .default, let answer = answer(ask, terms, absences, behind) {
        boarded.answers.append((ask.key, answer))
        continue
      }
      switch load.board(ask) {
      case .answered(let answer): boarded.answers.append((ask.key, answer))
      case .boarded(let seat): boarded.seats.append(seat)
      case .beside(let beside): boarded.beside.append(beside)
      }
    }
    behind.start()
    load.start()
    load.work.release { _ in true }
    return boarded
  }

  /// What the slower tiers have beside loads that replace it, as ``lookBeside(_:_:_:)``.
  ///
  /// - Returns: what is still there, and the keys to load anew.
  nonisolated(nonsending) func lookBeside<ID>(
    _ beside: [BatchBeside<ID, Value>],
    _ terms: LoadTerms
  ) async -> (found: [BatchAnswer<Value>], rest: [BatchAsk<ID>]) {
    if beside.isEmpty { return ([], []) }
    let looks: [BulkLook<Value>]
    do {
      looks = try await lookAll(
        beside.map { storeKey($0.ask.key) },
        terms,
        notes: beside.map(\.ask.note)
      )
    } catch {
      for _ in beside { countLookup(nil) }
      return (beside.map { ($0.ask.key, endFailed($0.ask.note, error)) }, [])
    }
    var found: [BatchAnswer<Value>] = []
    var rest: [BatchAsk<ID>] = []
    for (look, beside) in zip(looks, beside) {
      let ask = beside.ask
      if let loaded = served(look.look, beside: beside.flight, ask.key, ask.hash, terms) {
        if loaded.isFresh { core.counters.storeHits.add() }
        found.append((ask.key, .answer(answered(ask.note, loaded).value)))
      } else {
        rest.append(ask)
      }
    }
    return (found, rest)
  }

  /// What memory answers although it has no plain hit; what is refreshed behind the answer is boarded.
  func answer<ID>(
    _ ask: BatchAsk<ID>,
    _ terms: LoadTerms,
    _ absences: Absences<Value>,
    _ behind: BatchBehind<ID, Value>
  ) -> Result<Value?, any Error>? {
    do {
      if let (loaded, refresh) = try ask.note.running({ try answer(ask.key, ask.hash, terms) }) {
        if let refresh { behind.board(ask, refresh) }
        return .answer(answered(ask.note, loaded).value)
      }
    } catch {
      return endFailed(ask.note, error)
    }
    return absences.hold(ask.key) ? endAbsent(ask.note, .memory) : nil
  }

  /// What the caller gets for a key when its wait has ended; `nil` if it has to look again, since what
  /// it waited for was invalidated before it came.
  func leave<ID>(
    _ place: BatchSeat<ID, Value>,
    _ end: Waiter.End
  ) -> Result<Value?, any Error>? {
    let (seat, note) = (place.seat, place.ask.note)
    seat.leaveGraph()
    do {
      let loaded = try seat.output(after: end)
      if seat.joined, isTooOld(loaded, since: place.joinedAt) { return nil }
      if seat.joined { core.counters.coalesced.add() }
      if loaded.isFallback { core.counters.staleFallbacks.add() }
      return .answer(answered(note, loaded, joined: seat.joined).value)
    } catch {
      if seat.joined { core.counters.coalesced.add() }
      if let absent = error as? AbsentKey {
        if seat.joined, isTooOld(absent.terms, since: place.joinedAt) { return nil }
        return endAbsent(note, absent, joined: seat.joined)
      }
      core.countTimeout(error)
      return endFailed(note, error)
    }
  }

  /// The call of a closed cache: it goes straight to its producer.
  private nonisolated(nonsending) func unshared<ID>(
    _ missing: [BatchAsk<ID>],
    _ request: BatchRequest<ID, Value>
  ) async throws -> [BatchAnswer<Value>] {
    let values = try await request.producer(missing.map(\.id))
    let now = core.time.precise
    return missing.map { missed in
      guard let produced = values[missed.id] ?? Absences<Value>.own else {
        return (missed.key, endAbsent(missed.note, .produced, .closed))
      }
      do {
        let value = try produced.made(for: missed.key)
        answered(missed.note, Loaded(value: value, source: .produced, storedAt: now, deadline: now))
        return (missed.key, .answer(value))
      } catch {
        return (missed.key, endFailed(missed.note, error))
      }
    }
  }
}

/// What has become of the keys of a batch's caller before it waits.
private struct BatchBoarded<ID: Sendable, Value: Sendable> {
  var answers: [BatchAnswer<Value>] = []
  var seats: [BatchSeat<ID, Value>] = []
  var beside: [BatchBeside<ID, Value>] = []
}

extension CacheMode {
  /// Whether a call reads as the mode says before it loads, if it does.
  var readsFirst: Bool { self == .cacheOnly || self == .anyAge || self == .cacheThenRefresh }

  /// How a load works in the mode.
  var ofLoad: CacheMode { self == .reload || self == .bypass ? self : .default }
}
