extension MemoryCacheStore {
  /// Reads one entry, of any age.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the entry, or `nil`.
  public func entryBlocking(for key: CacheKey) -> CacheEntry? { table.value(for: key) }

  /// Keeps one entry; one over the limits is not kept, and neither is its previous version.
  ///
  /// - Parameters:
  ///   - entry: what to keep.
  ///   - key: the key, in its namespace.
  public func setBlocking(_ entry: CacheEntry, for key: CacheKey) {
    table.insert(entry, for: key, cost: Self.cost(of: entry, key))
  }

  /// Removes one entry.
  ///
  /// - Parameter key: the key, in its namespace.
  public func removeBlocking(_ key: CacheKey) { table.remove(key) }

  /// Removes every entry of a namespace.
  ///
  /// - Parameter namespace: which one; `nil` removes all.
  public func removeAllBlocking(in namespace: Namespace?) {
    guard let namespace else { return table.removeAll() }
    table.removeAll { namespace.covers($0.namespace) }
  }

  /// Removes one entry, atomically, if it is still the one that was read.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  @discardableResult
  public func removeBlocking(_ key: CacheKey, ifUnchanged entry: CacheEntry) -> Bool {
    table.remove(key, reason: .explicit) { $0 == entry }
  }

  /// Removes the entries that are kept no longer by the wall clock.
  ///
  /// - Parameter includingKept: whether those go as well that have expired and are still kept.
  /// - Returns: how many were removed.
  /// - Complexity: O(n).
  @discardableResult
  public func removeExpiredBlocking(includingKept: Bool) -> Int {
    let wall = wall
    func isDue(_ entry: CacheEntry) -> Bool {
      (includingKept && entry.freshUntil <= wall) || !isKept(entry, at: wall)
    }
    var gone: [CacheKey] = []
    table.forEach { key, entry in
      if isDue(entry.value) { gone.append(key) }
      return true
    }
    // Another version may have come in between, so each is looked at again.
    return gone.count { key in
      table.remove(key, reason: .expired, where: isDue)
    }
  }

  /// Lists copies of the entries, of any age.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each, outside the lock; returns whether to go on.
  public func scanBlocking(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) {
    table.forEach { key, entry in
      if let namespace, !namespace.covers(key.namespace) { return true }
      return visit(key, entry.value)
    }
  }

  /// Runs the work at once: nothing here blocks.
  ///
  /// - Parameter work: what to run.
  /// - Returns: what the work returned.
  /// - Throws: what the work threw.
  public func onStoreThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try work()
  }
}
