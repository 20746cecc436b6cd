import CacheAside

/// A store in memory that can be slow, and whose removals can fail.
final class CliffStore: CacheStore {
  private struct State {
    var entries: [CacheKey: CacheEntry] = [:]
    var delay: Duration?
    var isFailing = false
  }

  let name = "cliff"
  let capabilities: StoreCapabilities = [.scan]
  private let state = LockedValue(State())

  func answer(after delay: Duration) { state.with { $0.delay = delay } }
  func failRemovals(_ isFailing: Bool) { state.with { $0.isFailing = isFailing } }

  func entry(for key: CacheKey) async throws -> CacheEntry? {
    if let delay = state.with({ $0.delay }) { try await Task.sleep(for: delay) }
    return state.with { $0.entries[key] }
  }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    state.with { $0.entries[key] = entry }
  }

  func remove(_ key: CacheKey) async throws {
    try check()
    state.with { $0.entries[key] = nil }
  }

  func removeAll(in namespace: Namespace?) async throws {
    try check()
    state.with { state in
      state.entries = state.entries.filter { namespace?.covers($0.key.namespace) == false }
    }
  }

  private func check() throws {
    if state.with({ $0.isFailing }) { throw CliffError() }
  }

  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    try check()
    for (key, entry) in state.with({ $0.entries })
    where namespace?.covers(key.namespace) != false {
      guard visit(key, entry) else { return }
    }
  }
}

struct CliffError: Error {}
