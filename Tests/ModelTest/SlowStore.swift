import CacheAside
import Synchronization

/// A store that suspends a few times in each operation, as a server would.
final class SlowStore: CacheStore {
  let name = "slow"
  let capabilities: StoreCapabilities = [.scan]
  private let records = Mutex<[CacheKey: CacheEntry]>([:])
  private let turns = Atomic<Int>(0)

  /// Lets others run, a different number of times each time.
  private func suspend() async {
    let turn = turns.add(1, ordering: .relaxed).newValue
    for _ in 0..<turn % 4 { await Task.yield() }
  }

  func entry(for key: CacheKey) async throws -> CacheEntry? {
    await suspend()
    let entry = records.withLock { $0[key] }
    await suspend()
    return entry
  }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    await suspend()
    records.withLock { $0[key] = entry }
    await suspend()
  }

  func remove(_ key: CacheKey) async throws {
    await suspend()
    records.withLock { $0[key] = nil }
    await suspend()
  }

  func removeAll(in namespace: Namespace?) async throws {
    await suspend()
    records.withLock { records in
      guard let namespace else { return records = [:] }
      records = records.filter { !namespace.covers($0.key.namespace) }
    }
    await suspend()
  }

  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    await suspend()
    let listed = records.withLock { records in
      records.filter { namespace?.covers($0.key.namespace) ?? true }
        .sorted { $0.key.description < $1.key.description }
    }
    for (key, entry) in listed where !visit(key, entry) { return }
  }
}
