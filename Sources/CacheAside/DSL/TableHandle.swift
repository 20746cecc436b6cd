// How a memoized function finds its table. A function of a feature has it from the start; a global
// one resolves the current caches at each call (C3), and remembers the table of the shared caches,
// which never change once they are in use.

/// The table of a memoized function.
@usableFromInline
final class TableHandle<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let ambient = Ambient.use
  /// Whether bound caches are asked for the table.
  @usableFromInline let isGlobal: Bool
  /// Under which number bound caches remember the table.
  @usableFromInline let identity = TableMemo.makeIdentity()
  private let source: CacheFeature.Source
  private let name: String?
  let strategy: KeyStrategy<Key>
  /// The table when no caches are bound.
  @usableFromInline let unbound = LazyPointer<Cache<Key, Value>>()

  @usableFromInline
  init(_ source: CacheFeature.Source, name: String?, strategy: KeyStrategy<Key>) {
    self.source = source
    self.name = name
    self.strategy = strategy
    isGlobal = if case .current = source { true } else { false }
    if case .fixed(let tables) = source { _ = unbound.storeIfNil(table(of: tables)) }
  }

  private func table(of tables: TableRegistry) -> Cache<Key, Value> {
    tables.table(Key.self, Value.self, name: name, strategy: strategy)
  }

  /// The table of this call.
  @usableFromInline
  func resolve() -> Cache<Key, Value> {
    if case .current = source, let bound = Caches.bound {
      let table = table(of: bound.defaultTables)
      bound.defaultTables.memo.insert(identity, table)
      return table
    }
    if let table = unbound.load() { return table }
    return unbound.storeIfNil(table(of: Caches.shared.defaultTables))
  }

  /// A fresh value from memory; counts and records recency.
  @inlinable @inline(__always)
  func probe(_ key: Key) -> Value? {
    if isGlobal {
      if ambient.hasBegun {
        let bound = unsafe Ambient.binding()
        if unsafe bound.concernsHits { return probeResolved(key) }
        if let memo = unsafe bound.memo { return unsafe probeBound(key, memo) }
      }
    } else if ambient.concernsHits, Ambient.concernsHits() {
      return probeResolved(key)
    }
    return unbound.with({ $0.memory.value(for: key) }, orElse: { probeResolved(key) })
  }

  @inlinable
  func probeBound(_ key: Key, _ memo: Unmanaged<TableMemo>) -> Value? {
    let table = unsafe memo._withUnsafeGuaranteedRef {
      unsafe $0.find(identity, as: Cache<Key, Value>.self)
    }
    guard let table = unsafe table else { return probeResolved(key) }
    return unsafe table._withUnsafeGuaranteedRef { $0.memory.value(for: key) }
  }

  // Inlinable, so that it takes the key as it is: a place in memory for it would cost a hit a
  // reference.
  @inlinable @inline(never)
  func probeResolved(_ key: Key) -> Value? { resolve().probeByMode(key) }
}
