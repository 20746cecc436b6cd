extension Cache {
  /// Removes a key from every tier; nothing that began before is stored or served afterwards.
  ///
  /// Running loads of the key still answer those who wait for them, and are not stored; later
  /// callers start a new load. Reaches every value type under the key.
  ///
  /// - Parameter key: the key.
  /// - Throws: `CacheError` with the code `removalFailed` when a tier may still hold the entry; it
  ///   is not served from there any more. With the code `missingScope`, before anything is removed,
  ///   without a scope that the feature requires; with the code `closed` once ``close(within:)`` has
  ///   begun, or when it could not wait for this.
  public nonisolated(nonsending) func remove(_ key: Key) async throws {
    if let scoped = scoped(key) { return try await scoped.table.remove(scoped.key) }
    try await core.performing(core.changeNote("remove", tableName, key: storeKey(key))) {
      try await removeNow(key)
    }
  }

  /// The same as a part of another verb.
  nonisolated(nonsending) func removeNow(_ key: Key) async throws {
    try core.checkScope(core.terms)
    let storeKey = storeKey(key)
    try await core.change(storeKey) {
      core.invalidateInMemory(storeKey, from: self, key)
    } inTiers: {
      try await core.removeFromTiers(storeKey)
    }
  }

  /// Makes a key expired from now on: the next read loads, in the foreground.
  ///
  /// The old value is served only when that load fails, for at most `staleIfError` from now, and is
  /// never kept longer than it was.
  ///
  /// - Parameter key: the key.
  /// - Throws: `CacheError` with the code `removalFailed` when a tier may still hold the entry as
  ///   fresh; it is not served from there any more. With the codes `missingScope` and `closed` as
  ///   `remove(_:)`.
  public nonisolated(nonsending) func expire(_ key: Key) async throws {
    if let scoped = scoped(key) { return try await scoped.table.expire(scoped.key) }
    try await core.performing(core.changeNote("expire", tableName, key: storeKey(key))) {
      try core.checkScope(core.terms)
      let storeKey = storeKey(key)
      let expiry = core.handExpiry
      try await core.change(storeKey) {
        core.expireInMemory(storeKey, from: self, key, expiry)
      } inTiers: {
        try await core.expireInTiers(storeKey, expiry)
      }
    }
  }

  /// Removes everything of the feature, whatever its key and value types, from every tier.
  ///
  /// - Parameter erasing: whether to wait until the bytes are gone from every store, as a logout needs
  ///   it; without it a store on files may erase them later, by `flush()` and `close(within:)` at the latest.
  /// - Throws: as `remove(_:)`; with `erasing`, `removalFailed` also when something is unreadable but
  ///   could not be erased.
  public nonisolated(nonsending) func removeAll(erasing: Bool = false) async throws {
    try await core.removeAll(erasing: erasing)
  }

  /// Removes the feature's expired entries from every tier, also those that `keepExpired` would
  /// keep.
  ///
  /// - Returns: how many were removed.
  /// - Throws: `CancellationError`; `CacheError` with the code `closed` once ``close(within:)`` has begun. A
  ///   store's failure is an event.
  @discardableResult
  public nonisolated(nonsending) func removeExpired() async throws -> Int {
    try await core.removeExpired()
  }

  /// Removes a key from memory only; the slower stores keep theirs.
  ///
  /// No invalidation: loads and writes that go on are stored as usual. Without a scope that the
  /// feature requires, an event is reported and nothing is done.
  ///
  /// - Parameter key: the key.
  public func removeFromMemory(_ key: Key) {
    if let scoped = scoped(key) { return scoped.table.removeFromMemory(scoped.key) }
    do { try core.checkScope(core.terms) } catch {
      return core.report(.removalFailed, store: "memory", key: strategy.derive(key), error: error)
    }
    _ = memory.remove(key, hash: memory.hash(of: key))
  }

  /// Empties the memory table only; the slower stores keep their entries.
  ///
  /// No invalidation: loads and writes that go on are stored as usual.
  public func removeAllFromMemory() {
    memory.removeAll(reason: .invalidated)
    scopedTableIfMade?.removeAllFromMemory()
  }
}
