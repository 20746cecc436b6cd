// The modes of a batch that read before they load: what is there counts as the mode says, each slower
// store is asked once for all keys, and `.cacheThenRefresh` loads behind what it has found.

extension Cache where Key == CacheKey {
  /// What a mode finds without a load.
  ///
  /// - Parameters:
  ///   - asked: the keys.
  ///   - request: the function.
  ///   - absences: where it is remembered what is absent.
  ///   - mode: one that reads first.
  /// - Returns: what was found, and the keys that are to be loaded.
  nonisolated(nonsending) func read<ID>(
    _ asked: [BatchAsk<ID>],
    _ request: BatchRequest<ID, Value>,
    _ absences: Absences<Value>,
    _ mode: CacheMode
  ) async -> (found: [BatchAnswer<Value>], rest: [BatchAsk<ID>]) {
    let terms: LoadTerms
    do {
      terms = try core.terms(of: request.policy)
      try core.checkScope(terms)
    } catch {
      return (asked.map { ($0.key, endFailed($0.note, error)) }, [])
    }
    var reading = BatchReading<ID, Value>()
    for ask in asked { atHand(ask, terms, absences, mode, &reading) }
    await lookInTiers(&reading, terms, absences, mode)
    if mode == .cacheThenRefresh {
      let behind = BatchBehind(self, absences, request, terms, mode: .reload)
      for served in reading.served { behind.board(served.ask, .asked) }
      behind.start()
    }
    for served in reading.served {
      switch served.found {
      case .value(let loaded):
        reading.answers.append((served.ask.key, .answer(answered(served.ask.note, loaded).value)))
      case .absent(let source):
        reading.answers.append((served.ask.key, endAbsent(served.ask.note, source)))
      }
    }
    guard mode == .cacheOnly else { return (reading.answers, reading.open) }
    for ask in reading.open {
      core.counters.misses.add()
      reading.answers.append((ask.key, endFailed(ask.note, CacheError.notCached(ask.key))))
    }
    return (reading.answers, [])
  }

  /// What memory has.
  private func atHand<ID>(
    _ ask: BatchAsk<ID>,
    _ terms: LoadTerms,
    _ absences: Absences<Value>,
    _ mode: CacheMode,
    _ reading: inout BatchReading<ID, Value>
  ) {
    if let loaded = inMemory(ask.key, ask.hash, terms, mode) {
      reading.served.append((ask, .value(loaded)))
    } else if absences.hold(ask.key, anyAge: mode == .anyAge) {
      reading.served.append((ask, .absent(.memory)))
    } else {
      reading.open.append(ask)
    }
  }

  private func inMemory(
    _ key: CacheKey,
    _ hash: UInt64,
    _ terms: LoadTerms,
    _ mode: CacheMode
  ) -> Loaded<Value>? {
    if let loaded = memoryHit(key) { return loaded }
    if mode == .anyAge, let loaded = memoryEntry(key) { return loaded }
    if let loaded = lateHit(key, hash) { return loaded }
    guard mode == .cacheThenRefresh, let aged = agedInMemory(key, hash, terms) else { return nil }
    core.counters.staleServed.add()
    return aged.loaded(staleReason(key, hash, terms))
  }

  /// What the slower tiers have of what is still open.
  private nonisolated(nonsending) func lookInTiers<ID>(
    _ reading: inout BatchReading<ID, Value>,
    _ terms: LoadTerms,
    _ absences: Absences<Value>,
    _ mode: CacheMode
  ) async {
    let open = reading.open
    guard !open.isEmpty, core.usesTiers else { return }
    reading.open = []
    let storeKeys = open.map { storeKey($0.key) }
    let slots = zip(open, storeKeys).map { readerSlot($0.key, $0.hash, $1) }
    defer {
      for slot in slots {
        flights.unregister(slot.registration, key: slot.key, hash: slot.hash)
      }
    }
    let looks: [BulkLook<Value>]
    do {
      looks = try await lookAll(
        storeKeys,
        mode == .cacheThenRefresh ? terms : .none,
        anyAge: mode == .anyAge,
        notes: open.map(\.note)
      )
    } catch {
      for ask in open {
        countLookup(nil)
        reading.answers.append((ask.key, endFailed(ask.note, error)))
      }
      return
    }
    for (index, ask) in open.enumerated() {
      if let absence = looks[index].absence {
        core.counters.storeHits.add()
        await ask.note.running {
          await absences.promote(absence, storeKeys[index], slots[index])
        }
        reading.served.append((ask, .absent(.store(core.tiers[absence.index].name))))
        continue
      }
      switch looks[index].look {
      case .nothing: reading.open.append(ask)
      case .fresh(let found):
        countLookup(found)
        await ask.note.running { await promote(found, storeKeys[index], slots[index]) }
        reading.served.append((ask, .value(found.loaded)))
      case .aged(let found, let aged):
        core.counters.staleServed.add()
        await ask.note.running { await promote(found, storeKeys[index], slots[index]) }
        reading.served.append(
          (ask, .value(aged.loaded(staleReason(ask.key, ask.hash, terms))))
        )
      }
    }
  }
}

/// What a mode has found so far.
private struct BatchReading<ID: Sendable, Value: Sendable> {
  enum Found {
    case value(Loaded<Value>)
    case absent(CacheSource)
  }

  var answers: [BatchAnswer<Value>] = []
  /// The keys that are answered with what is cached.
  var served: [(ask: BatchAsk<ID>, found: Found)] = []
  var open: [BatchAsk<ID>] = []
}

extension CacheError {
  /// The error of a call that never loads and finds nothing.
  static func notCached(_ key: CacheKey?) -> CacheError {
    CacheError(
      .notCached,
      "nothing fresh is cached and the mode is .cacheOnly; load it in another mode first",
      key: key
    )
  }
}
