import CacheAside

/// The smallest store there can be: an actor with the requirements that have no default body.
actor PlainStore: CacheStore {
  nonisolated let name = "plain"
  nonisolated let capabilities: StoreCapabilities = []
  private var entries: [CacheKey: CacheEntry] = [:]

  /// The only record, if there is just one.
  var only: CacheEntry? { entries.count == 1 ? entries.values.first : nil }

  func entry(for key: CacheKey) async throws -> CacheEntry? { entries[key] }
  func set(_ entry: CacheEntry, for key: CacheKey) async throws { entries[key] = entry }
  func remove(_ key: CacheKey) async throws { entries[key] = nil }

  func removeAll(in namespace: Namespace?) async throws {
    guard let namespace else { return entries = [:] }
    entries = entries.filter { !namespace.covers($0.key.namespace) }
  }
}
