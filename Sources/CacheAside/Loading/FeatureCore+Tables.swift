import Synchronization

/// A table that its feature knows without keeping it alive.
struct KnownTable: Sendable {
  weak var table: (any CacheTable)?
}

extension FeatureCore {
  /// The tables that are alive.
  var tables: [any CacheTable] { knownTables.withLock { Array($0.values) }.compactMap(\.table) }

  /// Whether there is more than one.
  @usableFromInline var hasSeveralTables: Bool { knownTables.withLock { $0.count > 1 } }

  /// Notes a table that was made.
  func know(_ table: some CacheTable) {
    let known = KnownTable(table: table)
    knownTables.withLock { $0[ObjectIdentifier(table)] = known }
  }

  /// Forgets a table that is going away.
  func forget(_ table: ObjectIdentifier) {
    _ = knownTables.withLock { $0.removeValue(forKey: table) }
  }
}
