extension MemoryCacheStore {
  /// Makes a selection of entries absent, or expired; each in one step with the look at it.
  ///
  /// - Parameter invalidation: which entries, and what becomes of them.
  /// - Complexity: O(n).
  public func invalidateBlocking(_ invalidation: StoreInvalidation) {
    let selected = SelectedRecords { invalidation.selects($0, $1) }
    table.forEach { key, entry in selected.visit(key, entry.value) }
    for (key, fingerprint) in selected.records {
      table.change(key, reason: .invalidated) { entry in
        entry.hashValue == fingerprint ? invalidation.applied(to: entry) : entry
      }
    }
  }

  /// Does the same: nothing here blocks.
  ///
  /// - Parameter invalidation: which entries, and what becomes of them.
  public func invalidate(_ invalidation: StoreInvalidation) async {
    invalidateBlocking(invalidation)
  }
}
