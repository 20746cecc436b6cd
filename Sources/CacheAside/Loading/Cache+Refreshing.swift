// The third verb of selectors: what is selected is served as before, and loaded again behind its next
// read, by the producer of that read. So the source is asked only for what is still read, once a key,
// and nothing has to know producers.

extension Cache {
  /// Has what is selected loaded again behind its next read, which gets the value that is there.
  ///
  /// Nothing is removed and nothing expires: until the new value is stored, reads are answered as
  /// before. The first read with a producer starts one load in the background, also for values that
  /// only a slower store holds; when that load fails, its producer rests as after every failed load
  /// in the background, and a later read tries again. What has expired is loaded by its next read
  /// anyway. A load that is going on is left alone.
  ///
  /// Returns at once, without a load. To load now and wait, call `refresh` with a key.
  ///
  /// - Parameter selector: which entries.
  /// - Throws: `CacheError` with the code `missingScope` when keys are named without the scope that
  ///   the feature requires; `closed` once ``close(within:)`` has begun.
  /// - Complexity: O(keys) for keys, else O(n) in what memory holds.
  public func refresh(_ selector: CacheSelector) throws { try core.refresh(selector) }
}

extension FeatureCore {
  /// Makes what is selected due in every table, and in the stores as far as this process reads them.
  func refresh(_ selector: CacheSelector) throws {
    try performing(changeNote("refresh", about: selector)) { try refreshTraced(selector) }
  }

  private func refreshTraced(_ selector: CacheSelector) throws {
    var keys: [CacheKey] = []
    if case .keys(let named) = selector.kind {
      try checkScope(terms)
      keys = named.map(scopedStoreKey)
    }
    // First, so that what is promoted from now on is marked as well.
    refreshes.note(selector, keys: keys, at: time.wall)
    if case .keys = selector.kind {
      for key in keys {
        for table in tables(for: key) { table.refreshInMemory(key) }
      }
    } else {
      for table in tables { table.refreshInMemory(where: selector.selects) }
    }
  }
}

extension CacheSelector {
  /// Whether a selector that names no keys selects an entry.
  func selects(_ entry: Entry) -> Bool {
    switch kind {
    case .keys: false
    case .tags(let selection): selection.selects { entry.tags }
    case .scope(let scope): scope.isEmpty ? entry.scope.isEmpty : entry.scope.contains(scope)
    case .condition(let condition): condition(entry)
    case .all: true
    }
  }
}

extension Cache {
  func refreshInMemory(_ key: CacheKey) {
    forEachKey(printedAs: key) { memory.markDue($0, hash: memory.hash(of: $0)) }
  }

  func refreshInMemory(where selects: (CacheSelector.Entry) -> Bool) {
    forEachInMemory { key, hash, entry in
      if selects(entry) { memory.markDue(key, hash: hash) }
    }
  }

  /// Shows what a condition sees of each entry in memory, outside the locks.
  func forEachInMemory(_ body: (Key, UInt64, CacheSelector.Entry) -> Void) {
    for key in memory.keys() {
      let hash = memory.hash(of: key)
      guard let entry = memory.entry(for: key, hash: hash) else { continue }
      body(key, hash, seen(key, entry))
    }
  }

  /// What a condition sees of an entry in memory.
  func seen(_ key: Key, _ entry: MemoryEntry<Value>) -> CacheSelector.Entry {
    CacheSelector.Entry(
      storeKey(key),
      tags: entry.terms?.tags ?? [],
      age: Loaded<Value>.age(entry.storedAt, core.time.precise)
    )
  }
}
