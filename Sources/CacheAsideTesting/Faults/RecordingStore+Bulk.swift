public import CacheAside

extension RecordingStore {
  /// Reads several entries; one operation.
  ///
  /// - Parameter keys: the keys, in their namespaces.
  /// - Returns: the entries that are there.
  /// - Throws: the store's error.
  public func entries(for keys: [CacheKey]) async throws -> [CacheKey: CacheEntry] {
    recorder.record(StoreOperation(.bulkRead))
    return try await base.entries(for: keys)
  }

  /// Writes several entries; one operation.
  ///
  /// - Parameter entries: the keys, in their namespaces, with what to keep.
  /// - Throws: the store's error.
  public func set(_ entries: [(key: CacheKey, entry: CacheEntry)]) async throws {
    recorder.record(StoreOperation(.bulkWrite))
    try await base.set(entries)
  }
}
