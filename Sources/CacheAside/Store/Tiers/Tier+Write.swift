extension Tier {
  /// Writes a record unless it has been superseded by the time its turn comes.
  ///
  /// A failed write removes the older record, and puts a tombstone when even that fails, so that
  /// the old value is not served over the new one.
  ///
  /// - Returns: whether it was written.
  /// - Throws: only under ``TierFaultPolicy/fail``.
  @discardableResult
  func write(
    _ entry: CacheEntry,
    _ key: CacheKey,
    begun mark: LoadMark? = nil,
    unless isSuperseded: @escaping @Sendable () -> Bool
  ) async throws -> Bool {
    do {
      let operation = try operations.begin(.write, key)
      defer { operations.end(operation) }
      guard let blocking else {
        if !queue.isIdle { await queue.drain() }
        return try await asyncGate.withGate(key.stripe) {
          if isSuperseded() { return false }
          do { try await set(prepared(entry, mark), for: key) } catch {
            await dropOlder(key, unless: isSuperseded)
            throw error
          }
          // A synchronous call may have put a stone meanwhile: then the write is superseded.
          tombstones.lift(key, unless: isSuperseded)
          return true
        }
      }
      return try await blocking.onStoreThread { [self] in
        try writeInGate(blocking, entry, key, begun: mark, unless: isSuperseded)
      }
    } catch {
      try writeFailed(key, error)
      return false
    }
  }

  /// Writes a record on the calling thread; a tier that suspends queues it behind a tombstone.
  ///
  /// Once it is queued, only its tombstone counts: a later call for the key replaces the stone.
  ///
  /// - Returns: whether it was written or queued.
  @discardableResult
  func writeBlocking(
    _ entry: CacheEntry,
    _ key: CacheKey,
    begun mark: LoadMark? = nil,
    unless isSuperseded: @escaping @Sendable () -> Bool
  ) throws -> Bool {
    if let blocking {
      do {
        let operation = try operations.begin(.write, key)
        defer { operations.end(operation) }
        return try writeInGate(blocking, entry, key, begun: mark, unless: isSuperseded)
      } catch {
        try writeFailed(key, error)
        return false
      }
    }
    guard let token = tombstones.put(key, wall: newestWall, unless: isSuperseded) else {
      return false
    }
    queueWork(.write, key) { [self] in
      do {
        try await asyncGate.withGate(key.stripe) {
          guard tombstones.holds(key, token: token) else { return }
          try await set(prepared(entry, mark), for: key)
          tombstones.lift(key, upTo: token)
        }
      } catch {
        counters.writeFailures.add()
        report(.writeFailed, key, error)
      }
    }
    return true
  }

  func writeInGate(
    _ blocking: any BlockingCacheStore,
    _ entry: CacheEntry,
    _ key: CacheKey,
    begun mark: LoadMark? = nil,
    unless isSuperseded: () -> Bool
  ) throws -> Bool {
    guard faultPolicy == .fail else {
      return try setInGate(blocking, entry, key, begun: mark, unless: isSuperseded)
    }
    // What the store reports is sent when the gate is left.
    return try RejectedWrites.collect { rejected in
      let isWritten = try setInGate(blocking, entry, key, begun: mark, unless: isSuperseded)
      try refuse(rejected, key)
      return isWritten
    }
  }

  private func setInGate(
    _ blocking: any BlockingCacheStore,
    _ entry: CacheEntry,
    _ key: CacheKey,
    begun mark: LoadMark?,
    unless isSuperseded: () -> Bool
  ) throws -> Bool {
    try gate.withGate(key.stripe) {
      if isSuperseded() { return false }
      do { try blocking.setBlocking(prepared(entry, mark), for: key) } catch {
        do { try blocking.removeBlocking(key) } catch {
          tombstones.put(key, wall: newestWall)
          report(.removalFailed, key, error)
        }
        throw error
      }
      tombstones.lift(key, unless: isSuperseded)
      return true
    }
  }

  /// Writes into a store that suspends.
  private func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    guard faultPolicy == .fail else { return try await store.set(entry, for: key) }
    try await RejectedWrites.collect { rejected in
      try await store.set(entry, for: key)
      try refuse(rejected, key)
    }
  }

  func dropOlder(_ key: CacheKey, unless isSuperseded: () -> Bool) async {
    do { try await store.remove(key) } catch {
      tombstones.put(key, wall: newestWall, unless: isSuperseded)
      report(.removalFailed, key, error)
    }
  }

  /// The record as it is written: with the mark of its load, and its life from now on cut to what
  /// this tier allows.
  func prepared(_ entry: CacheEntry, _ mark: LoadMark?) -> CacheEntry {
    noteWrite(created: entry.created)
    var entry = entry
    entry.metadata.loadMark = mark
    guard lifetimeCap != .max else { return entry }
    let start = max(entry.created, time.wall)
    entry.endFreshness(at: Lifetime(remaining: lifetimeCap).freshUntil(from: start))
    return entry
  }
}

extension Tier {
  /// Removes the older record of a value that is not written here, unless it was superseded.
  func drop(_ key: CacheKey, unless isSuperseded: @escaping @Sendable () -> Bool) async {
    do {
      let operation = try operations.begin(.removal, key)
      defer { operations.end(operation) }
      if let blocking {
        try await blocking.onStoreThread { [self] in
          try dropInGate(blocking, key, unless: isSuperseded)
        }
      } else {
        if !queue.isIdle { await queue.drain() }
        try await asyncGate.withGate(key.stripe) {
          if isSuperseded() { return }
          try await store.remove(key)
          tombstones.lift(key, unless: isSuperseded)
        }
      }
    } catch {
      tombstones.put(key, wall: newestWall, unless: isSuperseded)
      report(.removalFailed, key, error)
    }
  }

  /// The same on the calling thread.
  func dropBlocking(_ key: CacheKey, unless isSuperseded: @escaping @Sendable () -> Bool) {
    guard let blocking else { return queueRemoval(key, unless: isSuperseded) }
    do {
      let operation = try operations.begin(.removal, key)
      defer { operations.end(operation) }
      try dropInGate(blocking, key, unless: isSuperseded)
    } catch {
      tombstones.put(key, wall: newestWall, unless: isSuperseded)
      report(.removalFailed, key, error)
    }
  }

  func dropInGate(
    _ blocking: any BlockingCacheStore,
    _ key: CacheKey,
    unless isSuperseded: () -> Bool
  ) throws {
    try gate.withGate(key.stripe) {
      if isSuperseded() { return }
      try blocking.removeBlocking(key)
      tombstones.lift(key, unless: isSuperseded)
    }
  }
}
