// Callers that ask the slower tiers for one key at the same time are answered by one read: the first of
// them reads, the others wait for what it finds, each as long as it likes. A change of the key closes
// the read, so that later callers begin another (F4); an invalidation by tag or scope, which closes no
// reads, is found by those who came after it in the terms of what was read. Who is cancelled leaves; when
// it is the one that reads, the others look again. A traced call reads alone, since it tells what each
// tier answered.

/// The end of a read that has found nothing; it never reaches a user.
private struct NothingFound: Error {}

extension Cache {
  /// Reads the slower tiers outside a flight; promotes and counts, but not a miss that a load
  /// follows.
  nonisolated(nonsending) func readTiers(
    _ key: Key,
    anyAge: Bool,
    thenLoads: Bool = false
  ) async throws -> Loaded<Value>? {
    let hash = memory.hash(of: key)
    while true {
      if let hit = lateHit(key, hash) { return hit }
      guard core.usesTiers else {
        if !thenLoads { core.counters.misses.add() }
        return nil
      }
      if core.note != nil { return try await readAlone(key, hash, anyAge, thenLoads) }
      let seat = flights.boardRead(key, hash: hash, anyAge: anyAge, joinedAt: core.stamps.now)
      if !seat.joined { return try await read(for: seat.flight, key, hash, anyAge, thenLoads) }
      let end = await seat.wait()
      do {
        let loaded = try seat.output(after: end)
        if isTooOld(loaded, since: seat.joinedAt) { continue }
        (loaded.isFresh ? core.counters.storeHits : core.counters.staleServed).add()
        return loaded
      } catch is NothingFound {
        if !thenLoads { core.counters.misses.add() }
        return nil
      } catch is CancellationError where !Task.isCancelled {
        continue
      } catch {
        countLookup(nil)
        throw error
      }
    }
  }

  /// Reads for everybody who has joined.
  ///
  /// Not on the caller's actor, which may be held up by one of those who wait.
  @concurrent
  private func read(
    for flight: Flight<Loaded<Value>>,
    _ key: Key,
    _ hash: UInt64,
    _ anyAge: Bool,
    _ thenLoads: Bool
  ) async throws -> Loaded<Value>? {
    let storeKey = storeKey(key)
    let slot = Slot(
      key: key,
      hash: hash,
      storeKey: storeKey,
      registration: flight.registration,
      begun: core.stamps.now,
      marks: core.loadMarks
    )
    do {
      guard let found = try await findCounting(storeKey, anyAge: anyAge, thenLoads: thenLoads)
      else {
        flight.complete(.failure(NothingFound()))
        return nil
      }
      await promote(found, storeKey, slot)
      flight.complete(.success(found.loaded(carrying: terms(of: found, at: slot))))
      return found.loaded
    } catch {
      flight.complete(.failure(error))
      throw error
    }
  }

  private nonisolated(nonsending) func readAlone(
    _ key: Key,
    _ hash: UInt64,
    _ anyAge: Bool,
    _ thenLoads: Bool
  ) async throws -> Loaded<Value>? {
    let storeKey = storeKey(key)
    let slot = readerSlot(key, hash, storeKey)
    defer { flights.unregister(slot.registration, key: key, hash: hash) }
    guard let found = try await findCounting(storeKey, anyAge: anyAge, thenLoads: thenLoads) else {
      return nil
    }
    await promote(found, storeKey, slot)
    return found.loaded
  }
}
