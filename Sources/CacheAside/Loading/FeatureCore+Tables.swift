import Synchronization

extension FeatureCore {
  /// The tables that are alive.
  var tables: [any CacheTable] { Self.alive(directory.withLock { $0.all }) }

  /// The tables that are alive and may hold a key; what concerns one key looks at no others.
  func tables(for key: CacheKey) -> [any CacheTable] {
    Self.alive(directory.withLock { $0.tables(for: key) })
  }

  /// The other tables that may hold a key of a table's in another form.
  func relatives(of table: some CacheTable, prefix: String?) -> [any CacheTable] {
    let (id, reach, form) = (ObjectIdentifier(table), table.reach, table.bareType)
    return Self.alive(
      directory.withLock { $0.relatives(of: id, reach, form, prefix: prefix) }
    )
  }

  private static func alive(_ known: [KnownTable]) -> [any CacheTable] {
    WorkLog.count(.table, known.count)
    return known.compactMap(\.table)
  }

  /// Notes a table that was made.
  func know(_ table: some CacheTable) {
    let (known, form) = (KnownTable(table), table.bareType)
    directory.withLock { $0.add(known, form) }
  }

  /// Forgets a table that is going away, but not what it has counted.
  func forget(
    _ table: ObjectIdentifier,
    _ reach: KeyReach,
    _ form: ObjectIdentifier,
    _ counters: MemoryCounters
  ) {
    goneCounters.withLock { $0.add(counters) }
    directory.withLock { $0.remove(table, reach, form) }
  }
}
