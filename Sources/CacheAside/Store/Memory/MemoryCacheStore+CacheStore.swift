extension MemoryCacheStore {
  /// Reads one entry, of any age.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil`.
  public func entry(for key: CacheKey) async -> CacheEntry? { entryBlocking(for: key) }

  /// Keeps one entry; one over the limits is not kept, and neither is its previous version.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  public func set(_ entry: CacheEntry, for key: CacheKey) async { setBlocking(entry, for: key) }

  /// Removes one entry.
  ///
  /// - Parameter key: the key, in its namespace.
  public func remove(_ key: CacheKey) async { removeBlocking(key) }

  /// Removes every entry of a namespace.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  public func removeAll(in namespace: Namespace?) async { removeAllBlocking(in: namespace) }

  /// Removes one entry, atomically, if it is still the one that was read.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  @discardableResult
  public func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async -> Bool {
    removeBlocking(key, ifUnchanged: entry)
  }

  /// Removes the entries that are kept no longer by the wall clock.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  @discardableResult
  public func removeExpired(includingKept: Bool) async -> Int {
    removeExpiredBlocking(includingKept: includingKept)
  }

  /// Lists copies of the entries, of any age.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on.
  public func scan(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) async {
    scanBlocking(namespace, visit)
  }

  /// How much it holds.
  ///
  /// - Returns: the entries and their cost in bytes.
  public func usage() async -> StoreUsage {
    StoreUsage(entries: table.count, bytes: table.totalCost)
  }
}
