extension BlockingCacheStore {
  /// Reads the entries one after the other on one of the store's threads.
  ///
  /// - Parameter keys: the keys, in their namespaces.
  /// - Returns: the entries that are there.
  /// - Throws: the first error.
  public func entries(for keys: [CacheKey]) async throws -> [CacheKey: CacheEntry] {
    try await onStoreThread {
      var entries: [CacheKey: CacheEntry] = [:]
      for key in keys { entries[key] = try entryBlocking(for: key) }
      return entries
    }
  }

  /// Writes the entries one after the other on one of the store's threads.
  ///
  /// - Parameter entries: the keys, in their namespaces, with what to keep.
  /// - Throws: the first error, after all were tried.
  public func set(_ entries: [(key: CacheKey, entry: CacheEntry)]) async throws {
    try await onStoreThread {
      var failure: (any Error)?
      for (key, entry) in entries {
        do { try setBlocking(entry, for: key) } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
  }
}
