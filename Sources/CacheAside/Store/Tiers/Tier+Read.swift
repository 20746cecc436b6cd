extension Tier {
  /// Reads a record of any age; what must not be served is absent.
  ///
  /// - Throws: only under ``TierFaultPolicy/fail``, or when the caller was cancelled.
  func read(_ key: CacheKey, _ note: CallNote? = nil) async throws -> CacheEntry? {
    if tombstones.covers(key), await !retryRemoval(key) {
      note?.refuses(.tombstone)
      return nil
    }
    do {
      while true {
        let changes = tombstones.changes
        let entry = admitted(try await store.entry(for: key), key, note)
        // What hid the record may have been lifted since it was read, because it is removed now.
        if entry == nil || changes == nil || changes == tombstones.changes { return entry }
      }
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch {
      // A store's own cancellation, of a connection for example, is a failure like any other.
      note?.refuses(.failed, error)
      try readFailed(key, error)
      return nil
    }
  }

  /// Reads a record on the calling thread; a tier that suspends is passed over.
  func readBlocking(_ key: CacheKey, _ note: CallNote? = nil) throws -> CacheEntry? {
    guard let blocking else { return nil }
    if tombstones.covers(key), !retryRemovalBlocking(key) {
      note?.refuses(.tombstone)
      return nil
    }
    do {
      return admitted(try blocking.entryBlocking(for: key), key, note)
    } catch {
      note?.refuses(.failed, error)
      try readFailed(key, error)
      return nil
    }
  }

  func admitted(
    _ entry: CacheEntry?,
    _ key: CacheKey,
    _ note: CallNote? = nil
  ) -> CacheEntry? {
    guard let entry else { return nil }
    if tombstones.admits(key, entry) { return entry }
    note?.refuses(.tombstone)
    return nil
  }

  /// Tries once more what failed before; a queued write keeps its stone.
  func retryRemoval(_ key: CacheKey) async -> Bool {
    guard queue.isIdle else { return false }
    return (try? await remove(key, unlessLifted: true)) != nil
  }

  private func retryRemovalBlocking(_ key: CacheKey) -> Bool {
    (try? removeBlocking(key, unlessLifted: true)) != nil
  }

  /// Removes a record that cannot be used, unless it has been replaced since it was read.
  func discard(_ entry: CacheEntry, _ key: CacheKey) async {
    do {
      if let blocking {
        try await blocking.onStoreThread { [self] in
          _ = try gate.withGate(key.stripe) {
            try blocking.removeBlocking(key, ifUnchanged: entry)
          }
        }
      } else {
        // A store that compares and deletes in two steps must not meet a write in between.
        _ = try await asyncGate.withGate(key.stripe) {
          try await store.remove(key, ifUnchanged: entry)
        }
      }
    } catch {
      report(.removalFailed, key, error)
    }
  }

  /// The same on the calling thread.
  func discardBlocking(_ entry: CacheEntry, _ key: CacheKey) {
    guard let blocking else { return }
    do {
      _ = try gate.withGate(key.stripe) { try blocking.removeBlocking(key, ifUnchanged: entry) }
    } catch {
      report(.removalFailed, key, error)
    }
  }
}
