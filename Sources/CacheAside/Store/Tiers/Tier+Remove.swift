extension Tier {
  /// Removes a record, after every older write of its key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - unlessLifted: whether only a record under a tombstone is removed: a removal that failed
  ///     before is tried again, and a newer record stays.
  /// - Throws: when it may still be there; a tombstone keeps it from being served.
  func remove(_ key: CacheKey, unlessLifted: Bool = false) async throws {
    do {
      let operation = try operations.begin(.removal, key)
      defer { operations.end(operation) }
      if let blocking {
        try await blocking.onStoreThread { [self] in
          try removeInGate(blocking, key, unlessLifted: unlessLifted)
        }
      } else {
        if !queue.isIdle { await queue.drain() }
        try await asyncGate.withGate(key.stripe) {
          if unlessLifted && !tombstones.covers(key) { return }
          let token = tombstones.newest
          try await store.remove(key)
          tombstones.lift(key, upTo: token)
        }
      }
    } catch {
      tombstones.put(key, wall: newestWall)
      throw removalFailed(key, error)
    }
  }

  /// Removes a record on the calling thread; a tier that suspends queues it behind a tombstone.
  func removeBlocking(_ key: CacheKey, unlessLifted: Bool = false) throws {
    guard let blocking else { return queueRemoval(key) }
    do {
      let operation = try operations.begin(.removal, key)
      defer { operations.end(operation) }
      try removeInGate(blocking, key, unlessLifted: unlessLifted)
    } catch {
      tombstones.put(key, wall: newestWall)
      throw removalFailed(key, error)
    }
  }

  /// Queues a removal in a tier that suspends; until it is done nothing is read for the key.
  func queueRemoval(_ key: CacheKey, unless isSuperseded: () -> Bool = { false }) {
    guard let token = tombstones.put(key, wall: newestWall, unless: isSuperseded) else { return }
    queueWork(.removal, key) { [self] in
      do {
        try await asyncGate.withGate(key.stripe) {
          guard tombstones.holds(key, token: token) else { return }
          try await store.remove(key)
          tombstones.lift(key, upTo: token)
        }
      } catch {
        report(.removalFailed, key, error)
      }
    }
  }

  private func removeInGate(
    _ blocking: any BlockingCacheStore,
    _ key: CacheKey,
    unlessLifted: Bool
  ) throws {
    try gate.withGate(key.stripe) {
      if unlessLifted && !tombstones.covers(key) { return }
      try blocking.removeBlocking(key)
      tombstones.lift(key, upTo: .max)
    }
  }

  /// Makes a record expired from now on, or removes it when it is kept no longer.
  ///
  /// - Throws: when it may still be fresh; a tombstone keeps it from being served.
  func expire(_ key: CacheKey, _ expiry: HandExpiry) async throws {
    do {
      let operation = try operations.begin(.removal, key)
      defer { operations.end(operation) }
      if let blocking {
        try await blocking.onStoreThread { [self] in
          try expireInGate(blocking, key, expiry)
        }
      } else {
        if !queue.isIdle { await queue.drain() }
        try await asyncGate.withGate(key.stripe) {
          let mark = store.loadMark
          guard let entry = try await store.entry(for: key) else { return }
          if var expired = expiry.applied(to: entry) {
            expired.metadata.loadMark = mark
            try await store.set(expired, for: key)
          } else {
            try await store.remove(key)
          }
        }
      }
    } catch {
      tombstones.put(key, wall: newestWall)
      throw removalFailed(key, error)
    }
  }

  private func expireInGate(
    _ blocking: any BlockingCacheStore,
    _ key: CacheKey,
    _ expiry: HandExpiry
  ) throws {
    try gate.withGate(key.stripe) {
      let mark = blocking.loadMark
      guard let entry = try blocking.entryBlocking(for: key) else { return }
      if var expired = expiry.applied(to: entry) {
        expired.metadata.loadMark = mark
        try blocking.setBlocking(expired, for: key)
      } else {
        try blocking.removeBlocking(key)
      }
    }
  }
}
