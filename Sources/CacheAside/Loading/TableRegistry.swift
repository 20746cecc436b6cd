import Synchronization

/// Keeps a feature's tables alive, one a triple of key type, value type and name.
///
/// Equal triples share table and flights. Tables are never dropped while the registry lives. The
/// feature's core knows its tables too, but weakly, since they hold the core.
@usableFromInline
final class TableRegistry: Sendable {
  struct Identity: Hashable, Sendable {
    let key: ObjectIdentifier
    let value: ObjectIdentifier
    let name: String?
  }

  let core: FeatureCore
  /// The tables that hits look up.
  @usableFromInline let memo = TableMemo()
  private let tables = Lock<[Identity: any CacheTable]>([:])

  init(_ core: FeatureCore) { self.core = core }

  /// The table of two types and a name, if it is there already.
  func known<Key: Hashable & Sendable, Value: Sendable>(
    _ key: Key.Type,
    _ value: Value.Type,
    name: String? = nil
  ) -> Cache<Key, Value>? {
    let identity = Identity(key: ObjectIdentifier(key), value: ObjectIdentifier(value), name: name)
    return tables.withLock { $0[identity] } as? Cache<Key, Value>
  }

  /// The table of two types and a name, made on first use; of two made at once the first stays.
  func table<Key: Hashable & Sendable, Value: Sendable>(
    _ key: Key.Type,
    _ value: Value.Type,
    name: String? = nil,
    strategy: @autoclosure () -> KeyStrategy<Key>
  ) -> Cache<Key, Value> {
    if let table = known(key, value, name: name) { return table }
    let identity = Identity(key: ObjectIdentifier(key), value: ObjectIdentifier(value), name: name)
    let made = Cache<Key, Value>(core: core, strategy: strategy(), name: name)
    let (kept, isSecond) = tables.withLock { tables -> (any CacheTable, Bool) in
      if let found = tables[identity] { return (found, false) }
      tables[identity] = made
      return (made, tables.count == 2)
    }
    if isSecond { core.adviseOnTables() }
    return kept as? Cache<Key, Value> ?? made
  }
}
