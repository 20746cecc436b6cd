extension Cache {
  /// Every entry of this value type, from memory and all stores that can list theirs.
  ///
  /// Under a scope these are the scope's entries, and without one those that belong to none.
  ///
  /// - Parameter includeExpired: whether to include those that have expired and are still kept.
  /// - Returns: key and value, one a key, in no particular order; memory before stores.
  /// - Throws: `CacheError` with the code `closed` once ``close(within:)`` has begun, and under the fault
  ///   policy `.fail`.
  /// - Complexity: O(n); reads every record.
  public nonisolated(nonsending) func entries(
    includeExpired: Bool = false
  ) async throws -> [(key: CacheKey, value: Value)] {
    try core.checkOpen()
    try core.checkScope(core.terms)
    let home = home
    var found = memoryEntries(of: home, includeExpired: includeExpired)
    for tier in core.tiers where tier.store.capabilities.contains(.scan) && !core.isClosed {
      do {
        let listed = try await tier.list(home) { key, entry in
          self.listed(key, entry, home, tier, includeExpired)
        }
        found.merge(listed) { old, _ in old }
      } catch {
        try tier.readFailed(CacheKey(text: "", namespace: home), error)
      }
    }
    return found.map { ($0.key.moved(to: nil), $0.value) }
  }

  /// The same over blocking stores, on the calling thread.
  func entriesBlocking(includeExpired: Bool) -> [(key: CacheKey, value: Value)] {
    if core.reportIfClosed(.readFailed) { return [] }
    guard core.hasRequiredScope else { return [] }
    let home = home
    var found = memoryEntries(of: home, includeExpired: includeExpired)
    for tier in core.tiers where !core.isClosed {
      do {
        let listed = try tier.listBlocking(home) { key, entry in
          self.listed(key, entry, home, tier, includeExpired)
        }
        found.merge(listed) { old, _ in old }
      } catch {
        tier.counters.readFailures.add()
        tier.report(.readFailed, nil, error)
      }
    }
    return found.map { ($0.key.moved(to: nil), $0.value) }
  }

  /// What a listed record contributes.
  private func listed(
    _ key: CacheKey,
    _ entry: CacheEntry,
    _ home: Namespace,
    _ tier: Tier,
    _ includeExpired: Bool
  ) -> (CacheKey, Value)? {
    guard key.namespace == home,
      case .usable(let loaded) = judge(entry, key, tier, anyAge: includeExpired)
    else { return nil }
    return (key, loaded.value)
  }

  /// The namespace of the calling task: the feature's, with the bound scope.
  private var home: Namespace {
    Ambient.scope.map { core.namespace.scoped($0) } ?? core.namespace
  }

  private func memoryEntries(of home: Namespace, includeExpired: Bool) -> [CacheKey: Value] {
    if home != core.namespace, !strategy.isIdentity {
      return tableByCacheKey.memoryEntries(of: home, includeExpired: includeExpired)
    }
    var found: [CacheKey: Value] = [:]
    if mayMissKeys, let table = scopedTableIfMade {
      found = table.memoryEntries(of: home, includeExpired: includeExpired)
    }
    for key in memory.keys() {
      let storeKey = storeKey(key)
      guard storeKey.namespace == home, let entry = entryInMemory(key),
        entry.isFresh || includeExpired
      else { continue }
      found[storeKey] = entry.value
    }
    return found
  }
}
