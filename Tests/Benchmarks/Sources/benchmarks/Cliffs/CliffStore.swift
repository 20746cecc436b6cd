import CacheAside

/// A store in memory that can be slow, and whose removals can fail.
actor CliffStore: CacheStore {
  nonisolated let name = "cliff"
  nonisolated let capabilities: StoreCapabilities = []
  private var entries: [CacheKey: CacheEntry] = [:]
  private var delay: Duration?
  private var isFailing = false

  func answer(after delay: Duration) { self.delay = delay }
  func failRemovals(_ isFailing: Bool) { self.isFailing = isFailing }

  func entry(for key: CacheKey) async throws -> CacheEntry? {
    if let delay { try await Task.sleep(for: delay) }
    return entries[key]
  }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws { entries[key] = entry }

  func remove(_ key: CacheKey) async throws {
    if isFailing { throw CliffError() }
    entries[key] = nil
  }

  func removeAll(in namespace: Namespace?) async throws {
    if isFailing { throw CliffError() }
    guard let namespace else { return entries = [:] }
    entries = entries.filter { !namespace.covers($0.key.namespace) }
  }

  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    if isFailing { throw CliffError() }
    for (key, entry) in entries where namespace?.covers(key.namespace) != false {
      guard visit(key, entry) else { return }
    }
  }
}

struct CliffError: Error {}
