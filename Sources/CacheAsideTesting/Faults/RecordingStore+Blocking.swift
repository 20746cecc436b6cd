public import CacheAside

extension RecordingStore: BlockingCacheStore where Base: BlockingCacheStore {
  /// Reads one entry on the calling thread.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil`.
  /// - Throws: the store's error.
  public func entryBlocking(for key: CacheKey) throws -> CacheEntry? {
    recorder.record(StoreOperation(.read, key: key))
    return try base.entryBlocking(for: key)
  }

  /// Writes one entry on the calling thread.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: the store's error.
  public func setBlocking(_ entry: CacheEntry, for key: CacheKey) throws {
    recorder.record(StoreOperation(.write, key: key))
    try base.setBlocking(entry, for: key)
  }

  /// Removes one entry on the calling thread.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: the store's error.
  public func removeBlocking(_ key: CacheKey) throws {
    recorder.record(StoreOperation(.remove, key: key))
    try base.removeBlocking(key)
  }

  /// Removes every entry of a namespace on the calling thread.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: the store's error.
  public func removeAllBlocking(in namespace: Namespace?) throws {
    recorder.record(StoreOperation(.removeAll, namespace: namespace))
    try base.removeAllBlocking(in: namespace)
  }

  /// Removes one entry if it is unchanged on the calling thread.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  /// - Throws: the store's error.
  @discardableResult
  public func removeBlocking(_ key: CacheKey, ifUnchanged entry: CacheEntry) throws -> Bool {
    recorder.record(StoreOperation(.removeIfUnchanged, key: key))
    return try base.removeBlocking(key, ifUnchanged: entry)
  }

  /// Removes the entries that are kept no longer on the calling thread.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: the store's error.
  @discardableResult
  public func removeExpiredBlocking(includingKept: Bool) throws -> Int {
    recorder.record(StoreOperation(.removeExpired))
    return try base.removeExpiredBlocking(includingKept: includingKept)
  }

  /// Lists entries on the calling thread.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on.
  /// - Throws: the store's error.
  public func scanBlocking(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) throws {
    recorder.record(StoreOperation(.scan, namespace: namespace))
    try base.scanBlocking(namespace, visit)
  }

  /// Makes a selection of records absent, or expired on the calling thread.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: the store's error.
  public func invalidateBlocking(_ invalidation: StoreInvalidation) throws {
    recorder.record(StoreOperation(.invalidate, namespace: invalidation.namespace))
    try base.invalidateBlocking(invalidation)
  }

  /// Runs a piece of blocking work on one of the wrapped store's threads.
  ///
  /// - Parameter work: what to run; only what it calls on this store is noted.
  /// - Returns: what the work returned.
  /// - Throws: what the work threw.
  public func onStoreThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await base.onStoreThread(work)
  }
}
