extension DiskStore {
  /// Runs a piece of blocking work on one of the store's few threads.
  ///
  /// Work that was queued runs even when the calling task is cancelled, so that an entry is never
  /// half done.
  ///
  /// - Parameter work: what to run; it may call the synchronous requirements.
  /// - Returns: what the work returned.
  /// - Throws: what the work threw.
  public func onStoreThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await threads.run(time, work)
  }

  /// Reads one entry, of any age, on a thread of the store.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil` when it is absent, damaged or of another key.
  /// - Throws: as ``entryBlocking(for:)``.
  public func entry(for key: CacheKey) async throws -> CacheEntry? {
    try await onStoreThread { [self] in try entryBlocking(for: key) }
  }

  /// Writes one entry over any older one, on a thread of the store.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: as ``setBlocking(_:for:)``.
  public func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    try await onStoreThread { [self] in try setBlocking(entry, for: key) }
  }

  /// Removes one entry, on a thread of the store.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: as ``removeBlocking(_:)``.
  public func remove(_ key: CacheKey) async throws {
    try await onStoreThread { [self] in try removeBlocking(key) }
  }

  /// Removes every entry of a namespace, on a thread of the store.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: as ``removeAllBlocking(in:)``.
  public func removeAll(in namespace: Namespace?) async throws {
    try await onStoreThread { [self] in try removeAllBlocking(in: namespace) }
  }

  /// Removes one entry if it is still the one that was read, on a thread of the store.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  /// - Throws: as ``removeBlocking(_:ifUnchanged:)``.
  @discardableResult
  public func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async throws -> Bool {
    try await onStoreThread { [self] in try removeBlocking(key, ifUnchanged: entry) }
  }

  /// Removes the entries that are kept no longer, on a thread of the store.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: as ``removeExpiredBlocking(includingKept:)``.
  @discardableResult
  public func removeExpired(includingKept: Bool) async throws -> Int {
    try await onStoreThread { [self] in
      try removeExpiredBlocking(includingKept: includingKept)
    }
  }

  /// How much the store holds, on a thread of the store.
  ///
  /// - Returns: entries and bytes.
  /// - Throws: as ``usageBlocking(in:)``.
  public func usage() async throws -> StoreUsage {
    try await onStoreThread { [self] in try usageBlocking() }
  }
}
