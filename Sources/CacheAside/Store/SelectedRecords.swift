// What a scan has selected: keys with a fingerprint of each record, so that a record which is written
// anew before its turn comes is recognised and left alone. Payloads are not held.

/// The records that an invalidation has found by listing.
final class SelectedRecords {
  private(set) var records: [(key: CacheKey, fingerprint: Int)] = []
  private let isSelected: (CacheKey, CacheEntry) -> Bool

  init(where isSelected: @escaping (CacheKey, CacheEntry) -> Bool) {
    self.isSelected = isSelected
  }

  /// Looks at one record of a scan; always goes on.
  func visit(_ key: CacheKey, _ entry: CacheEntry) -> Bool {
    if isSelected(key, entry) { records.append((key, entry.hashValue)) }
    return true
  }
}

extension CacheStore {
  /// The default body of `invalidate(_:)`: list, look again, change what is still the same.
  func invalidateByScan(_ invalidation: StoreInvalidation) async throws {
    let selected = SelectedRecords { invalidation.selects($0, $1) }
    try await scan(invalidation.namespace) { selected.visit($0, $1) }
    for (key, fingerprint) in selected.records {
      guard let entry = try await entry(for: key), entry.hashValue == fingerprint else { continue }
      guard let kept = invalidation.applied(to: entry) else {
        try await remove(key, ifUnchanged: entry)
        continue
      }
      try await set(kept, for: key)
    }
  }
}

extension BlockingCacheStore {
  /// The same on the calling thread.
  func invalidateByScanBlocking(_ invalidation: StoreInvalidation) throws {
    let selected = SelectedRecords { invalidation.selects($0, $1) }
    try scanBlocking(invalidation.namespace) { selected.visit($0, $1) }
    for (key, fingerprint) in selected.records {
      guard let entry = try entryBlocking(for: key), entry.hashValue == fingerprint else {
        continue
      }
      guard let kept = invalidation.applied(to: entry) else {
        try removeBlocking(key, ifUnchanged: entry)
        continue
      }
      try setBlocking(kept, for: key)
    }
  }
}
