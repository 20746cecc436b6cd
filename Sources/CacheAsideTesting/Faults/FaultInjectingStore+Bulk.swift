public import CacheAside

extension FaultInjectingStore {
  /// Reads several entries, unless a fault prevents it; it meets the faults of one read.
  ///
  /// - Parameter keys: the keys, in their namespaces.
  /// - Returns: the entries that are there.
  /// - Throws: the injected error, or the store's.
  public func entries(for keys: [CacheKey]) async throws -> [CacheKey: CacheEntry] {
    try await perform(.read, lost: [:]) { fate in
      try await base.entries(for: keys).mapValues(fate.distort)
    }
  }

  /// Writes several entries, unless a fault prevents it; it meets the faults of one write.
  ///
  /// - Parameter entries: the keys, in their namespaces, with what to keep.
  /// - Throws: the injected error, or the store's.
  public func set(_ entries: [(key: CacheKey, entry: CacheEntry)]) async throws {
    try await perform(.write, lost: ()) { fate in
      try await base.set(entries.map { (key: $0.key, entry: fate.distort($0.entry)) })
    }
  }
}
