/// A store whose work is done by system calls on the calling thread, such as files.
///
/// The synchronous requirements run on the caller's thread and may block it. The asynchronous
/// ones of ``CacheStore`` must do the same work on threads of the store's own, never on the
/// cooperative pool.
public protocol BlockingCacheStore: CacheStore {
  /// Reads one entry on the calling thread, as `entry(for:)` does.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil`.
  /// - Throws: when the store could not be read.
  func entryBlocking(for key: CacheKey) throws -> CacheEntry?

  /// Writes one entry on the calling thread, as `set(_:for:)` does.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  /// - Throws: when it could not be written.
  func setBlocking(_ entry: CacheEntry, for key: CacheKey) throws

  /// Removes one entry on the calling thread, as `remove(_:)` does.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Throws: when the entry may still be there.
  func removeBlocking(_ key: CacheKey) throws

  /// Removes every entry of a namespace on the calling thread.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  /// - Throws: when some may still be there.
  func removeAllBlocking(in namespace: Namespace?) throws

  /// Removes one entry on the calling thread if it is still the one that was read.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  /// - Throws: when the store failed.
  @discardableResult
  func removeBlocking(_ key: CacheKey, ifUnchanged entry: CacheEntry) throws -> Bool

  /// Removes the entries that are kept no longer, on the calling thread.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Throws: when the store failed.
  @discardableResult
  func removeExpiredBlocking(includingKept: Bool) throws -> Int

  /// Lists entries on the calling thread, as `scan(_:_:)` does.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on.
  /// - Throws: when the store failed.
  func scanBlocking(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) throws

  /// Makes a selection of records absent, or expired, on the calling thread, as `invalidate(_:)`
  /// does.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: when some of them may still be fresh.
  func invalidateBlocking(_ invalidation: StoreInvalidation) throws

  /// Runs a piece of blocking work on one of the store's own threads.
  ///
  /// The cache uses it to check a write against later removals and to do the write without
  /// leaving that thread in between.
  ///
  /// - Parameter work: what to run; it may call the synchronous requirements.
  /// - Returns: what the work returned.
  /// - Throws: what the work threw.
  func onStoreThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result
}

extension BlockingCacheStore {
  /// Removes the entries that are kept no longer, and no others, on the calling thread.
  ///
  /// - Returns: how many were removed.
  /// - Throws: when the store failed.
  @discardableResult
  public func removeExpiredBlocking() throws -> Int {
    try removeExpiredBlocking(includingKept: false)
  }

  /// Lists the namespace, and removes or writes anew what is selected and has not changed since.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: when some of them may still be fresh.
  /// - Complexity: O(n) in the records of the namespace.
  public func invalidateBlocking(_ invalidation: StoreInvalidation) throws {
    try invalidateByScanBlocking(invalidation)
  }

  /// Does what `invalidateBlocking(_:)` does, on one of the store's own threads.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: when some of them may still be fresh.
  public func invalidate(_ invalidation: StoreInvalidation) async throws {
    try await onStoreThread { try invalidateBlocking(invalidation) }
  }
}
