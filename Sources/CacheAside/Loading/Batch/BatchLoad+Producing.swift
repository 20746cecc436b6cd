// The call of the producer, and what becomes of its answer. What it leaves out is absent; what it adds
// is stored as well, unless the key has changed or is being loaded meanwhile.

extension BatchLoad {
  typealias Answer = Result<Loaded<Value>, any Error>

  /// Runs the producer for some keys in a task of its own.
  func produce(_ keys: [BatchKey<ID, Value>]) {
    guard let group = work.split(keys.map(\.position)) else {
      for key in keys { key.flight.complete(.failure(CancellationError())) }
      return
    }
    // What the producer waits for, all flights of the call wait for (F7).
    let node = Registration.producer(of: keys.map(\.flight.registration))
    let priority = work.priority
    let job = core.time.startTask(priority: priority) { [self] in
      let watch = table.flights.watch()
      defer { table.flights.unwatch(watch) }
      let begun = core.stamps.now
      let start = core.time.precise
      do {
        let values = try await FlightScope.$current.withValue(node) {
          defer { node.end() }
          return try await answer(keys)
        }
        // What a load that was given up still brings is dropped.
        let isWanted = work.settle(group)
        let loadTime = max(0, core.time.precise - start)
        if mode == .bypass { return answerAlone(values, keys) }
        table.sourceAnswered(terms, in: loadTime)
        let others = isWanted ? others(in: values, than: keys, watch, begun: begun) : []
        await store(values, for: keys, loadTime, others)
      } catch {
        _ = work.settle(group)
        sourceFailed(error, isOver: keys.allSatisfy(\.flight.registration.isOver))
        for key in keys { fail(key, error) }
      }
    }
    work.install(job, group: group, priority: priority)
  }

  /// Ends the flights of a load that stores nothing.
  private func answerAlone(_ values: [ID: Produced<Value>], _ keys: [BatchKey<ID, Value>]) {
    let now = core.time.precise
    for key in keys {
      key.flight.complete(
        Result {
          guard let produced = values[key.id] ?? Absences<Value>.own else { throw AbsentKey() }
          let value = try produced.made(for: key.key)
          return Loaded(value: value, source: .produced, storedAt: now, deadline: now)
        }
      )
    }
  }

  /// Ends a key's flight with its stale value, or an error.
  private func fail(_ key: BatchKey<ID, Value>, _ error: any Error) {
    if let held = error as? HeldBack {
      return key.flight.complete(
        Result { try table.heldBack(held, key.key, key.aged, mayServe: mode == .default) }
      )
    }
    if key.refresh != nil, !key.flight.registration.isOver {
      table.refreshFailed(key.key, error)
    }
    key.flight.complete(
      Result {
        try table.fallBack(to: key.aged, error, key.slot, terms, mayServe: mode == .default)
      }
    )
  }

  /// Runs the producer when its turn comes, again if it fails and the policy says so.
  private func answer(_ keys: [BatchKey<ID, Value>]) async throws -> [ID: Produced<Value>] {
    let started = core.time.precise
    var attempt = 1
    while true {
      do { return try await answerOnce(keys) } catch {
        guard let retries = terms.fields.retries, !Task.isCancelled,
          !(error is CancellationError), !(error is HeldBack), terms.isFailure(error),
          let pause = retries.pause(before: attempt)
        else { throw error }
        let next = Lifetime.sum(core.time.precise, pause)
        guard next <= Lifetime.sum(started, terms.limits.hard), next != .max else { throw error }
        attempt += 1
        try await core.time.sleep(untilNanoseconds: next)
      }
    }
  }

  private func answerOnce(_ keys: [BatchKey<ID, Value>]) async throws -> [ID: Produced<Value>] {
    do {
      let mode = isExplicit ? mode : .default
      guard let bulkhead = core.bulkhead else { return try await asked(keys, mode) }
      try table.checkBreaker(mode, terms)
      return try await bulkhead.run { [self] in try await asked(keys, mode) }
    } catch {
      // A load that was given up has been counted; what its producer makes of that is no news.
      if !(error is CancellationError), !(error is HeldBack),
        !keys.allSatisfy(\.flight.registration.isOver)
      {
        core.counters.loadFailures.add()
        for key in keys { key.ask.note?.fails(error) }
        core.report(.loadFailed, error: error)
      }
      throw error
    }
  }

  /// Runs the producer unless a breaker holds it back.
  private func asked(
    _ keys: [BatchKey<ID, Value>],
    _ mode: CacheMode
  ) async throws -> [ID: Produced<Value>] {
    guard let breaker = try table.admit(mode, terms, source) else { return try await timed(keys) }
    return try await table.probing(breaker, source) { try await timed(keys) }
  }

  private func timed(_ keys: [BatchKey<ID, Value>]) async throws -> [ID: Produced<Value>] {
    let start = core.time.precise
    let values = try await request.producer(keys.map(\.id))
    let loadTime = max(0, core.time.precise - start)
    core.counters.loads.add()
    core.counters.loadNanoseconds.add(UInt64(loadTime))
    for key in keys { key.ask.note?.produces(in: loadTime) }
    return values
  }

  // MARK: Storing

  /// Stores what was asked for and what came along, and ends the flights.
  private func store(
    _ values: [ID: Produced<Value>],
    for keys: [BatchKey<ID, Value>],
    _ loadTime: Int64,
    _ others: [Other]
  ) async {
    var present: [BatchKey<ID, Value>] = []
    var absent: [BatchKey<ID, Value>] = []
    var items: [StoringItem<CacheKey, Value>] = []
    for key in keys {
      guard let produced = values[key.id] ?? Absences<Value>.own else {
        absent.append(key)
        continue
      }
      present.append(key)
      items.append(StoringItem(produced: produced, slot: key.slot, note: key.ask.note))
    }
    let results = await table.storeAll(items + others.map(\.item), terms, loadTime)
    if !absent.isEmpty { await storeAbsent(absent, loadTime) }
    for (other, result) in zip(others, results[present.count...]) { other.flight.complete(result) }
    for (key, result) in zip(present, results) { end(key, result) }
  }

  private func end(_ key: BatchKey<ID, Value>, _ result: Answer) {
    if case .failure(let error) = result { return fail(key, error) }
    key.flight.complete(result)
  }

  private func storeAbsent(_ keys: [BatchKey<ID, Value>], _ loadTime: Int64) async {
    let table = absences.table
    let slots = keys.map { absences.slot(for: $0.slot) }
    let items = zip(keys, slots).compactMap { key, slot in
      slot.map {
        StoringItem<CacheKey, Value?>(
          produced: Produced(nil as Value?),
          slot: $0,
          note: key.ask.note
        )
      }
    }
    var results = await table.storeAll(items, terms, loadTime)[...]
    for (key, slot) in zip(keys, slots) {
      guard let slot, let result = results.popFirst() else {
        key.flight.complete(.failure(AbsentKey()))
        continue
      }
      table.flights.unregister(slot.registration, key: slot.key, hash: slot.hash)
      switch result {
      case .success(let stored):
        key.flight.complete(.failure(AbsentKey(terms: stored.terms)))
      case .failure(let error): fail(key, error)
      }
    }
  }

  /// A value that nobody asked for.
  private struct Other: Sendable {
    let flight: Flight<Loaded<Value>>
    let item: StoringItem<CacheKey, Value>
  }

  /// Registers what the producer adds: keys that have not changed and are not being loaded.
  private func others(
    in values: [ID: Produced<Value>],
    than keys: [BatchKey<ID, Value>],
    _ watch: ChangeWatch,
    begun: UInt64
  ) -> [Other] {
    let asked = Set(keys.map(\.id))
    var known = Set(keys.map(\.key))
    var others: [Other] = []
    for (id, produced) in values where !asked.contains(id) && produced.value != nil {
      let key = table.placed(request.key(id))
      guard known.insert(key).inserted else { continue }
      let hash = table.memory.hash(of: key)
      let flight = table.flights.enterAlone(
        key,
        hash: hash,
        priority: .utility,
        unless: { watch.hasSeen(hash) }
      )
      guard let flight else { continue }
      let slot = Slot(
        key: key,
        hash: hash,
        storeKey: core.hasTiers ? table.storeKey(key) : nil,
        registration: flight.registration,
        begun: begun,
        marks: core.loadMarks
      )
      others.append(Other(flight: flight, item: StoringItem(produced: produced, slot: slot)))
    }
    return others
  }
}
