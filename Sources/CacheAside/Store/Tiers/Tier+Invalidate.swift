// Invalidation of many records of a tier. What began before was marked; whatever passed its check
// already is inside a gate, so that passing every gate once waits for the last older write. A store
// that does not invalidate by itself is listed, and each record is looked at again and changed inside
// the gate of its key, so that nothing newer is lost.

extension Tier {
  /// Makes a selection of records absent, or expired.
  ///
  /// - Throws: when some may still be fresh; a barrier keeps all of them from being served.
  func invalidate(_ invalidation: StoreInvalidation) async throws {
    do {
      let operation = try operations.begin(.invalidation)
      defer { operations.end(operation) }
      if let blocking {
        try await blocking.onStoreThread { [self] in
          try invalidateBehindGates(blocking, invalidation)
        }
      } else {
        if !queue.isIdle { await queue.drain() }
        try await invalidateBehindGates(invalidation)
      }
    } catch {
      tombstones.putBarrier(invalidation, wall: newestWall)
      throw removalFailed(nil, error)
    }
  }

  /// The same on the calling thread; a tier that suspends queues it behind a barrier.
  func invalidateBlocking(_ invalidation: StoreInvalidation) throws {
    if let blocking {
      do {
        let operation = try operations.begin(.invalidation)
        defer { operations.end(operation) }
        try invalidateBehindGates(blocking, invalidation)
      } catch {
        tombstones.putBarrier(invalidation, wall: newestWall)
        throw removalFailed(nil, error)
      }
      return
    }
    let token = tombstones.putBarrier(invalidation, wall: newestWall)
    queueWork(.invalidation) { [self] in
      do { try await invalidateBehindGates(invalidation, upTo: token) } catch {
        report(.removalFailed, nil, error)
      }
    }
  }

  /// Changes the records of a namespace that meet a condition; one that is changed to `nil` leaves.
  ///
  /// - Throws: when some may be unchanged; a barrier keeps the whole namespace from being served.
  func change(
    _ namespace: Namespace,
    where isSelected: @escaping @Sendable (CacheKey, CacheEntry) -> Bool,
    _ change: @escaping @Sendable (CacheEntry) -> CacheEntry?
  ) async throws {
    do {
      let operation = try operations.begin(.invalidation)
      defer { operations.end(operation) }
      if let blocking {
        try await blocking.onStoreThread { [self] in
          gate.passAll()
          try changeInGates(blocking, namespace, where: isSelected, change)
        }
      } else {
        if !queue.isIdle { await queue.drain() }
        await asyncGate.passAll()
        try await changeInGates(namespace, where: isSelected, change)
      }
    } catch {
      tombstones.putBarrier(namespace, wall: newestWall)
      throw removalFailed(nil, error)
    }
  }

  /// The same on the calling thread; a tier that suspends queues it behind a barrier.
  func changeBlocking(
    _ namespace: Namespace,
    where isSelected: @escaping @Sendable (CacheKey, CacheEntry) -> Bool,
    _ change: @escaping @Sendable (CacheEntry) -> CacheEntry?
  ) throws {
    if let blocking {
      do {
        let operation = try operations.begin(.invalidation)
        defer { operations.end(operation) }
        gate.passAll()
        try changeInGates(blocking, namespace, where: isSelected, change)
      } catch {
        tombstones.putBarrier(namespace, wall: newestWall)
        throw removalFailed(nil, error)
      }
      return
    }
    let everything = StoreInvalidation(.remove, .everything, in: namespace)
    let token = tombstones.putBarrier(everything, wall: newestWall)
    queueWork(.invalidation) { [self] in
      do {
        await asyncGate.passAll()
        try await changeInGates(namespace, where: isSelected, change)
        tombstones.lift(everything, upTo: token)
      } catch {
        report(.removalFailed, nil, error)
      }
    }
  }

  // MARK: Parts

  private func invalidateBehindGates(
    _ blocking: any BlockingCacheStore,
    _ invalidation: StoreInvalidation
  ) throws {
    gate.passAll()
    let token = tombstones.newest
    if invalidation.isRemovalOfAll {
      try blocking.removeAllBlocking(in: invalidation.namespace)
    } else if store.capabilities.contains(.invalidate) {
      try blocking.invalidateBlocking(invalidation)
    } else {
      try changeInGates(blocking, invalidation.namespace, where: invalidation.selects) {
        invalidation.applied(to: $0)
      }
    }
    tombstones.lift(invalidation, upTo: token)
  }

  private func invalidateBehindGates(
    _ invalidation: StoreInvalidation,
    upTo token: UInt64? = nil
  ) async throws {
    await asyncGate.passAll()
    let token = token ?? tombstones.newest
    if invalidation.isRemovalOfAll {
      try await store.removeAll(in: invalidation.namespace)
    } else if store.capabilities.contains(.invalidate) {
      try await store.invalidate(invalidation)
    } else {
      try await changeInGates(invalidation.namespace, where: invalidation.selects) {
        invalidation.applied(to: $0)
      }
    }
    tombstones.lift(invalidation, upTo: token)
  }

  private func changeInGates(
    _ blocking: any BlockingCacheStore,
    _ namespace: Namespace,
    where isSelected: @escaping (CacheKey, CacheEntry) -> Bool,
    _ change: (CacheEntry) -> CacheEntry?
  ) throws {
    let selected = SelectedRecords(where: isSelected)
    try blocking.scanBlocking(namespace) { selected.visit($0, $1) }
    for (key, fingerprint) in selected.records {
      try gate.withGate(key.stripe) {
        guard let record = try blocking.entryBlocking(for: key), record.hashValue == fingerprint
        else { return }
        guard let kept = change(record) else { return try blocking.removeBlocking(key) }
        try blocking.setBlocking(kept, for: key)
      }
    }
  }

  private func changeInGates(
    _ namespace: Namespace,
    where isSelected: @escaping (CacheKey, CacheEntry) -> Bool,
    _ change: (CacheEntry) -> CacheEntry?
  ) async throws {
    let selected = SelectedRecords(where: isSelected)
    try await store.scan(namespace) { selected.visit($0, $1) }
    for (key, fingerprint) in selected.records {
      try await asyncGate.withGate(key.stripe) {
        guard let record = try await store.entry(for: key), record.hashValue == fingerprint
        else { return }
        guard let kept = change(record) else { return try await store.remove(key) }
        try await store.set(kept, for: key)
      }
    }
  }
}
