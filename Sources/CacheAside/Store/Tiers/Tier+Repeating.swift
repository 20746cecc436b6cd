// Invalidations that failed are repeated: a key's own removal by the read that meets its tombstone,
// everything that failed once the store has answered again. It is queued work, so that flushing waits
// for it. What was stored after an invalidation stays: records are taken one by one, since a store that
// invalidates by itself would take newer ones as well. One that cannot list its records has to.

extension Tier {
  /// Tries a removal once more that failed before; queued work and held keys keep their stones.
  ///
  /// - Returns: whether the key is free.
  func repeatRemoval(_ key: CacheKey, _ operation: TierOperation) async -> Bool {
    guard tombstones.has(.failed, key), !tombstones.isHeld(key) else { return false }
    let write = repeatedRemoval(key)
    guard let blocking else { return await run([write], operation)[0].error == nil }
    let result = try? await call(operation) { [self] in
      try await blocking.onStoreThread { [self] in run([write], blocking, operation)[0] }
    }
    return result.map { $0.error == nil } ?? false
  }

  /// The same on the calling thread.
  func repeatRemoval(
    _ key: CacheKey,
    _ blocking: any BlockingCacheStore,
    _ operation: TierOperation
  ) -> Bool {
    guard tombstones.has(.failed, key), !tombstones.isHeld(key) else { return false }
    return run([repeatedRemoval(key)], blocking, operation)[0].error == nil
  }

  /// A record without a tombstone was written anew, and stays; so does one that another process has
  /// written since.
  private func repeatedRemoval(_ key: CacheKey) -> TierWrite {
    TierWrite(key: key, change: .edit { _, _ in .keep }, stone: .failed)
  }

  /// Writes that were given up have ended: what they may have left has to go.
  func writeEnded(_ keys: [CacheKey]) {
    for key in keys {
      tombstones.release(key)
      // Refused, it is repeated with everything else that has failed.
      try? queueWork(.removal, key) { [self] operation in
        guard !tombstones.isHeld(key) else { return }
        _ = await repeated([repeatedRemoval(key)], operation)
      }
    }
  }

  /// Repeats what failed, now that the store has answered; after a failure not before a pause, which
  /// doubles from a second to a minute.
  func repeatFailed() {
    guard tombstones.hasFailed, repetition.begin(time.precise) else { return }
    do {
      try queueWork(.removal) { [self] operation in
        repetition.end(time.precise, isDone: await repeatAll(operation))
      }
    } catch {
      repetition.end(time.precise, isDone: true)
    }
  }

  private func repeatAll(_ operation: TierOperation) async -> Bool {
    let failed = tombstones.failed(keys: 256)
    var isDone = true
    for barrier in failed.barriers {
      guard let sweep = repeated(barrier) else {
        isDone = false
        continue
      }
      do {
        if let blocking {
          try await call(operation) { [self] in
            try await blocking.onStoreThread { [self] in try run(sweep, blocking, operation) }
          }
        } else {
          try await run(sweep, operation)
        }
        tombstones.lift(barrier.token)
      } catch {
        isDone = false
        if operation.failure != nil { break }
      }
    }
    let results = await repeated(failed.keys.map(repeatedRemoval), operation)
    return isDone && !results.contains { $0.error != nil }
  }

  private func repeated(
    _ writes: [TierWrite],
    _ operation: TierOperation
  ) async -> [TierWrite.Outcome] {
    guard !writes.isEmpty else { return [] }
    guard let blocking else { return await run(writes, operation) }
    let results = try? await call(operation) { [self] in
      try await blocking.onStoreThread { [self] in run(writes, blocking, operation) }
    }
    return results ?? writes.map { _ in .failed(CancellationError()) }
  }

  /// How an invalidation is repeated; `nil` when it would take what is newer, so that its barrier stays
  /// and hides what it should.
  private func repeated(_ barrier: Barrier) -> TierSweep? {
    guard let sweep = barrier.sweep else { return nil }
    let canScan = store.capabilities.contains(.scan)
    let wall = barrier.wall
    switch sweep {
    case .change(let namespace, let isSelected, let change):
      return .change(
        namespace,
        where: { [self] in mayPrecede($1, wall) && isSelected($0, $1) },
        change
      )
    case .clear(let namespace):
      if canScan, let namespace {
        return .change(namespace, where: { [self] in mayPrecede($1, wall) }, { _ in nil })
      }
      return barrier.isCollapsed ? sweep : nil
    case .invalidate(let invalidation):
      if !canScan { return invalidation.isRemovalOfAll ? nil : sweep }
      return .change(
        invalidation.namespace,
        where: { [self] in mayPrecede($1, wall) && invalidation.selects($0, $1) },
        { invalidation.applied(to: $0) }
      )
    }
  }
}
