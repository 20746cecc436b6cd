extension Tier {
  /// Writes a record unless it has been superseded by the time its turn comes.
  ///
  /// A failed write removes the older record, and puts a tombstone when even that fails, so that
  /// the old value is not served over the new one.
  ///
  /// - Throws: only under ``TierFaultPolicy/fail``.
  func write(
    _ entry: CacheEntry,
    _ key: CacheKey,
    unless isSuperseded: @escaping @Sendable () -> Bool
  ) async throws {
    do {
      if let blocking {
        try await blocking.onStoreThread { [self] in
          try writeInGate(blocking, entry, key, unless: isSuperseded)
        }
      } else {
        if !queue.isIdle { await queue.drain() }
        try await asyncGate.withGate(key.stripe) {
          if isSuperseded() { return }
          do { try await store.set(capped(entry), for: key) } catch {
            await dropOlder(key)
            throw error
          }
          tombstones.lift(key)
        }
      }
    } catch {
      try writeFailed(key, error)
    }
  }

  /// Writes a record on the calling thread; a tier that suspends queues it behind a tombstone.
  func writeBlocking(
    _ entry: CacheEntry,
    _ key: CacheKey,
    unless isSuperseded: @escaping @Sendable () -> Bool
  ) throws {
    if let blocking {
      do { try writeInGate(blocking, entry, key, unless: isSuperseded) } catch {
        try writeFailed(key, error)
      }
      return
    }
    let token = tombstones.put(key, wall: time.wall)
    queue.add(time) { [self] in
      do {
        try await asyncGate.withGate(key.stripe) {
          if isSuperseded() { return }
          try await store.set(capped(entry), for: key)
          tombstones.lift(key, token: token)
        }
      } catch {
        counters.writeFailures.add()
        report(.writeFailed, key, error)
      }
    }
  }

  private func writeInGate(
    _ blocking: any BlockingCacheStore,
    _ entry: CacheEntry,
    _ key: CacheKey,
    unless isSuperseded: () -> Bool
  ) throws {
    try gate.withGate(key.stripe) {
      if isSuperseded() { return }
      do { try blocking.setBlocking(capped(entry), for: key) } catch {
        do { try blocking.removeBlocking(key) } catch {
          tombstones.put(key, wall: time.wall)
          report(.removalFailed, key, error)
        }
        throw error
      }
      tombstones.lift(key)
    }
  }

  private func dropOlder(_ key: CacheKey) async {
    do { try await store.remove(key) } catch {
      tombstones.put(key, wall: time.wall)
      report(.removalFailed, key, error)
    }
  }

  /// The record with its life cut to what this tier allows.
  private func capped(_ entry: CacheEntry) -> CacheEntry {
    guard lifetimeCap != .max else { return entry }
    var entry = entry
    let cap = Lifetime(remaining: lifetimeCap).freshUntil(from: entry.created)
    let kept = entry.keptUntil.subtractingReportingOverflow(entry.freshUntil)
    if cap < entry.freshUntil {
      entry.freshUntil = cap
      entry.keptUntil = kept.overflow ? entry.keptUntil : Lifetime.sum(cap, kept.partialValue)
    }
    return entry
  }
}

extension Tier {
  /// Removes the older record of a value that cannot be written here, unless it was superseded.
  func drop(_ key: CacheKey, unless isSuperseded: @escaping @Sendable () -> Bool) async {
    do {
      if let blocking {
        try await blocking.onStoreThread { [self] in
          try gate.withGate(key.stripe) {
            if !isSuperseded() { try blocking.removeBlocking(key) }
          }
        }
      } else {
        try await asyncGate.withGate(key.stripe) {
          if !isSuperseded() { try await store.remove(key) }
        }
      }
    } catch {
      tombstones.put(key, wall: time.wall)
      report(.removalFailed, key, error)
    }
  }

  /// The same on the calling thread.
  func dropBlocking(_ key: CacheKey, unless isSuperseded: @escaping @Sendable () -> Bool) {
    do {
      if let blocking {
        try gate.withGate(key.stripe) {
          if !isSuperseded() { try blocking.removeBlocking(key) }
        }
      } else {
        try removeBlocking(key)
      }
    } catch {
      tombstones.put(key, wall: time.wall)
      report(.removalFailed, key, error)
    }
  }
}
