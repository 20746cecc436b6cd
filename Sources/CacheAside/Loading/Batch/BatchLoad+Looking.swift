// The slower tiers, asked for all keys of a batch at once. What is found ends its flight at once; what
// is stale and may be served is loaded again by one batch behind.

extension BatchLoad {
  /// Looks for keys in the slower tiers.
  ///
  /// - Returns: those that the producer has to make.
  func look(_ keys: [BatchKey<ID, Value>]) async -> [BatchKey<ID, Value>] {
    let storeKeys = keys.map { $0.slot.storeKey ?? table.storeKey($0.key) }
    let looks: [BulkLook<Value>]
    do { looks = try await table.lookAll(storeKeys, terms) } catch {
      for key in keys {
        if key.refresh == nil { table.countLookup(nil) }
        key.flight.complete(.failure(error))
      }
      return []
    }
    let again = Again(self)
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
    _ again: Again<ID, Value>
  ) async -> BatchKey<ID, Value>? {
    let slot = key.slot
    if let absence = look.absence, key.refresh == nil {
      await promoteAbsence(absence, storeKey, slot)
      core.counters.storeHits.add()
      key.flight.complete(.failure(AbsentKey()))
      return nil
    }
    var key = key
    switch look.look {
    case .fresh(let found) where key.refresh?.newerThan.map({ found.loaded.storedAt > $0 }) ?? true:
      if key.refresh == nil { table.countLookup(found) }
      await table.promote(found, storeKey, slot)
      if key.refresh == nil, let ahead = table.isDue(found, slot.key, slot.hash, terms) {
        again.board(key, .ahead(ahead))
      }
      key.flight.complete(.success(found.loaded))
      return nil
    case .aged(let found, let older)
    where key.aged.map({ older.storedAt > $0.storedAt }) ?? true:
      key.aged = older
      if key.refresh == nil, let loaded = table.serveStale(older, slot.key, slot.hash) {
        core.counters.staleServed.add()
        await table.promote(found, storeKey, slot)
        if loaded.stale == .revalidating { again.board(key, .stale(older)) }
        key.flight.complete(.success(loaded))
        return nil
      }
      key.flight.offer(older.fallback(core))
    default: break
    }
    return key
  }

  private func promoteAbsence(
    _ absence: BulkLook<Value>.Absence,
    _ storeKey: CacheKey,
    _ slot: Slot<CacheKey>
  ) async {
    let absent = absences.table
    guard let own = absences.slot(for: slot) else { return }
    defer { absent.flights.unregister(own.registration, key: own.key, hash: own.hash) }
    guard
      case .usable(let loaded) = absent.judge(
        absence.entry,
        core.tiers[absence.index],
        anyAge: false
      )
    else { return }
    let found = Found<Value?>(loaded: loaded, entry: absence.entry, index: absence.index)
    await absent.promote(found, storeKey, own)
  }
}

/// The batch behind another one, made when there is something for it.
final class Again<ID: Hashable & Sendable, Value: Sendable> {
  private let front: BatchLoad<ID, Value>
  private var load: BatchLoad<ID, Value>?
  private var isFull = false

  init(_ front: BatchLoad<ID, Value>) { self.front = front }

  /// Puts a flight of the batch behind in the place of a key's.
  func board(_ key: BatchKey<ID, Value>, _ refresh: Refresh<Value>) {
    board(key.id, key.key, key.hash, refresh, replacing: key.flight)
  }

  func board(
    _ id: ID,
    _ key: CacheKey,
    _ hash: UInt64,
    _ refresh: Refresh<Value>,
    replacing old: Flight<Loaded<Value>>? = nil
  ) {
    guard !isFull, !front.core.isClosed else { return }
    if load == nil {
      guard let permit = front.core.enterBackground() else { return isFull = true }
      let made = BatchLoad(front.table, front.absences, front.request, front.terms, permit: permit)
      _ = made.work.reserve()
      load = made
    }
    load?.boardBehind(id, key, hash, refresh, replacing: old)
  }

  /// Starts the batch, if there is one.
  func start() {
    guard let load else { return }
    load.start()
    load.work.release { _ in true }
    self.load = nil
  }
}
