import CacheAside
import Synchronization

/// A store that suspends a few times in each operation, as a server would.
final class SlowStore: CacheStore {
  let name = "slow"
  let capabilities: StoreCapabilities = [.scan]
  private let records = Mutex<[CacheKey: CacheEntry]>([:])
  private let turns = Atomic<Int>(0)
  private let time = Mutex(TimeSource.system)

  func attach(_ context: StoreContext) { time.withLock { $0 = context.time } }

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

  func removeExpired(includingKept: Bool) async throws -> Int {
    await suspend()
    let now = time.withLock { $0.wall }
    return records.withLock { records in
      let count = records.count
      records = records.filter { now < (includingKept ? $0.value.freshUntil : $0.value.keptUntil) }
      return count - records.count
    }
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
