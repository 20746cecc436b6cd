extension Tier {
  /// Removes a record, after every older write of its key.
  ///
  /// - Throws: when it may still be there; a tombstone keeps it from being served.
  func remove(_ key: CacheKey) async throws {
    do {
      if let blocking {
        try await blocking.onStoreThread { [self] in try removeInGate(blocking, key) }
      } else {
        try await asyncGate.withGate(key.stripe) {
          try await store.remove(key)
          tombstones.lift(key)
        }
      }
    } catch {
      tombstones.put(key, wall: time.wall)
      throw removalFailed(key, error)
    }
  }

  /// Removes a record on the calling thread; a tier that suspends queues it behind a tombstone.
  func removeBlocking(_ key: CacheKey) throws {
    if let blocking {
      do { try removeInGate(blocking, key) } catch {
        tombstones.put(key, wall: time.wall)
        throw removalFailed(key, error)
      }
      return
    }
    let token = tombstones.put(key, wall: time.wall)
    queue.add(time) { [self] in
      do {
        try await asyncGate.withGate(key.stripe) {
          guard tombstones.holds(key, token: token) else { return }
          try await store.remove(key)
          tombstones.lift(key, token: token)
        }
      } catch {
        report(.removalFailed, key, error)
      }
    }
  }

  private func removeInGate(_ blocking: any BlockingCacheStore, _ key: CacheKey) throws {
    try gate.withGate(key.stripe) {
      try blocking.removeBlocking(key)
      tombstones.lift(key)
    }
  }

  /// Makes a record expired from now on, or removes it when it is kept no longer.
  ///
  /// - Throws: when it may still be fresh; a tombstone keeps it from being served.
  func expire(_ key: CacheKey, wall: Int64, keptUntil: Int64) async throws {
    do {
      if let blocking {
        try await blocking.onStoreThread { [self] in
          try expireInGate(blocking, key, wall: wall, keptUntil: keptUntil)
        }
      } else {
        try await asyncGate.withGate(key.stripe) {
          guard let entry = try await store.entry(for: key) else { return }
          if let expired = entry.expired(wall: wall, keptUntil: keptUntil) {
            try await store.set(expired, for: key)
          } else {
            try await store.remove(key)
          }
        }
      }
    } catch {
      tombstones.put(key, wall: time.wall)
      throw removalFailed(key, error)
    }
  }

  private func expireInGate(
    _ blocking: any BlockingCacheStore,
    _ key: CacheKey,
    wall: Int64,
    keptUntil: Int64
  ) throws {
    try gate.withGate(key.stripe) {
      guard let entry = try blocking.entryBlocking(for: key) else { return }
      if let expired = entry.expired(wall: wall, keptUntil: keptUntil) {
        try blocking.setBlocking(expired, for: key)
      } else {
        try blocking.removeBlocking(key)
      }
    }
  }

  /// Removes every record of a namespace.
  ///
  /// - Throws: when some may still be there; a barrier keeps them from being served.
  func removeAll(in namespace: Namespace?) async throws {
    let wall = time.wall
    await queue.drain()
    do {
      try await store.removeAll(in: namespace)
      tombstones.liftBarrier(namespace)
    } catch {
      tombstones.putBarrier(namespace, wall: wall)
      throw removalFailed(nil, error)
    }
  }

  /// The same on the calling thread; a tier that suspends queues it behind a barrier.
  func removeAllBlocking(in namespace: Namespace?) throws {
    let wall = time.wall
    if let blocking {
      do {
        try blocking.removeAllBlocking(in: namespace)
        tombstones.liftBarrier(namespace)
      } catch {
        tombstones.putBarrier(namespace, wall: wall)
        throw removalFailed(nil, error)
      }
      return
    }
    tombstones.putBarrier(namespace, wall: wall)
    queue.add(time) { [self] in
      do {
        try await store.removeAll(in: namespace)
        tombstones.liftBarrier(namespace, wall: wall)
      } catch {
        report(.removalFailed, nil, error)
      }
    }
  }
}

extension CacheEntry {
  /// This record expired by hand; `nil` when it is kept no longer.
  func expired(wall: Int64, keptUntil: Int64) -> CacheEntry? {
    var entry = self
    entry.isExpiredByHand = true
    entry.freshUntil = min(freshUntil, wall)
    entry.keptUntil = min(self.keptUntil, keptUntil)
    return entry.keptUntil > wall ? entry : nil
  }
}

extension CacheKey {
  /// Which stripe of a gate the key passes.
  var stripe: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash ^ (hash >> 32)
  }
}
