extension CacheStore {
  /// Needs nothing from the cache.
  ///
  /// - Parameter context: ignored.
  public func attach(_ context: StoreContext) {}

  /// Reads the entries one after the other.
  ///
  /// - Parameter keys: the keys, in their namespaces.
  /// - Returns: the entries that are there.
  /// - Throws: the first error.
  public func entries(for keys: [CacheKey]) async throws -> [CacheKey: CacheEntry] {
    var entries: [CacheKey: CacheEntry] = [:]
    for key in keys { entries[key] = try await entry(for: key) }
    return entries
  }

  /// Writes the entries one after the other, also when one cannot be written.
  ///
  /// - Parameter entries: the keys, in their namespaces, with what to keep.
  /// - Throws: the first error, after all were tried.
  public func set(_ entries: [(key: CacheKey, entry: CacheEntry)]) async throws {
    var failure: (any Error)?
    for (key, entry) in entries {
      do { try await set(entry, for: key) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Reads the entry again and removes it when it is equal.
  ///
  /// - Parameters:
  ///   - key: the key, in its namespace.
  ///   - entry: what was read.
  /// - Returns: whether it was removed.
  /// - Throws: when the store failed.
  @discardableResult
  public func remove(_ key: CacheKey, ifUnchanged entry: CacheEntry) async throws -> Bool {
    guard try await self.entry(for: key) == entry else { return false }
    try await remove(key)
    return true
  }

  /// Removes nothing: the backend drops expired entries by itself.
  ///
  /// - Parameter includingKept: ignored.
  /// - Returns: zero.
  /// - Throws: nothing.
  @discardableResult
  public func removeExpired(includingKept: Bool) async throws -> Int { 0 }

  /// Removes the entries that are kept no longer, and no others.
  ///
  /// - Returns: how many were removed.
  /// - Throws: when the store failed.
  @discardableResult
  public func removeExpired() async throws -> Int { try await removeExpired(includingKept: false) }

  /// Knows none.
  ///
  /// - Parameter key: ignored.
  /// - Returns: `nil`.
  /// - Throws: nothing.
  public func invalidation(of key: CacheKey) async throws -> StoreInvalidation? { nil }

  /// Keeps no order of its own.
  public var loadMark: LoadMark? { nil }

  /// Knows of no changes.
  ///
  /// - Parameter mark: ignored.
  /// - Returns: nothing.
  /// - Throws: nothing.
  public func changes(since mark: LoadMark?) async throws -> StoreChanges {
    StoreChanges(mark: nil)
  }

  /// Refuses: the store cannot list its entries.
  ///
  /// - Parameters:
  ///   - namespace: ignored.
  ///   - visit: never called.
  /// - Throws: `CacheError` with the code `unsupported`.
  public func scan(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) async throws {
    throw CacheError(.unsupported, "the store \"\(name)\" cannot list its entries")
  }

  /// Lists the namespace, and removes or writes anew what is selected and has not changed since.
  ///
  /// - Parameter invalidation: which records, and what becomes of them.
  /// - Throws: when some of them may still be fresh; `CacheError` with the code `unsupported` when
  ///   the store cannot list its entries.
  /// - Complexity: O(n) in the records of the namespace.
  public func invalidate(_ invalidation: StoreInvalidation) async throws {
    try await invalidateByScan(invalidation)
  }

  /// Knows nothing about its size.
  ///
  /// - Returns: a usage without figures.
  public func usage() async throws -> StoreUsage { StoreUsage(entries: nil, bytes: nil) }

  /// Has nothing to wait for.
  public func flush() async throws {}

  /// Holds nothing.
  public func close() async {}
}
