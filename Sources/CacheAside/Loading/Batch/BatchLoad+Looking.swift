// The slower tiers, asked for all keys of a batch at once. What is found ends its flight at once; what
// is stale and may be served is loaded again by one batch behind.

extension BatchLoad {
  /// Looks for keys in the slower tiers.
  ///
  /// - Returns: those that the producer has to make.
  func look(_ keys: [BatchKey<ID, Value>]) async -> [BatchKey<ID, Value>] {
    let storeKeys = keys.map { $0.slot.storeKey ?? table.storeKey($0.key) }
    let looks: [BulkLook<Value>]
    do {
      looks = try await table.lookAll(storeKeys, terms, notes: keys.map(\.ask.note))
    } catch {
      for key in keys {
        if key.refresh == nil { table.countLookup(nil) }
        key.flight.complete(.failure(error))
      }
      return []
    }
    let again = BatchBehind(self)
    let marks = core.loadMarks
    var open: [BatchKey<ID, Value>] = []
    for (index, key) in keys.enumerated() {
      guard var left = await take(looks[index], storeKeys[index], key, again) else { continue }
      // The tiers have looked at their ledgers.
      left.slot.marks = marks
      open.append(left)
    }
    again.start()
    return open
  }

  /// Ends a key's flight with what was found.
  ///
  /// - Returns: the key, if the producer has to make its value.
  private func take(
    _ look: BulkLook<Value>,
    _ storeKey: CacheKey,
    _ key: BatchKey<ID, Value>,
    _ again: BatchBehind<ID, Value>
  ) async -> BatchKey<ID, Value>? {
    let slot = key.slot
    if let absence = look.absence, key.refresh == nil {
      await key.ask.note.running { await absences.promote(absence, storeKey, slot) }
      core.counters.storeHits.add()
      key.flight.complete(
        .failure(
          AbsentKey(
            tier: core.tiers[absence.index].name,
            terms: EntryTerms(
              tags: absence.entry.metadata.tags,
              namespace: table.scopeNamespace(of: slot.key),
              begun: slot.begun
            )
          )
        )
      )
      return nil
    }
    var key = key
    switch look.look {
    case .fresh(let found) where key.refresh?.newerThan.map({ found.loaded.storedAt > $0 }) ?? true:
      if key.refresh == nil { table.countLookup(found) }
      await key.ask.note.running { await table.promote(found, storeKey, slot) }
      if key.refresh == nil, let ahead = table.isDue(found, at: slot, terms) {
        again.board(key.ask, .ahead(ahead), replacing: key.flight)
      }
      key.flight.complete(.success(found.loaded(carrying: table.terms(of: found, at: slot))))
      return nil
    case .aged(let found, var older)
    where key.aged.map({ older.storedAt > $0.storedAt }) ?? true:
      older.terms = table.terms(of: found, at: slot)
      key.aged = older
      if key.refresh == nil, let loaded = table.serveStale(older, slot.key, slot.hash, terms) {
        core.counters.staleServed.add()
        await key.ask.note.running { await table.promote(found, storeKey, slot) }
        if loaded.stale == .revalidating {
          again.board(key.ask, .stale(older), replacing: key.flight)
        }
        key.flight.complete(.success(loaded))
        return nil
      }
      key.flight.offer(older.fallback(core))
    default: break
    }
    return key
  }
}
