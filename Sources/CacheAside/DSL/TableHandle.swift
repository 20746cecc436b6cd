// How a memoized function finds its table: at its first call, so that a function that is never called
// has none. A function of a feature keeps it; a global one resolves the current caches at each call
// (C3), and keeps the table of the shared caches, which never change once they are in use.

import Synchronization

/// The table of a memoized function.
@usableFromInline
final class TableHandle<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let ambient = Ambient.use
  /// Whether bound caches are asked for the table.
  @usableFromInline let isGlobal: Bool
  /// Under which number bound caches remember the table.
  @usableFromInline let identity: UInt
  private let source: CacheFeature.Source
  private let table: TableRegistry.Identity
  let strategy: KeyStrategy<Key>
  /// The table when no caches are bound.
  @usableFromInline let unbound = LazyPointer<Cache<Key, Value>>()
  /// Whether that has to be given back.
  private let isUsing = Atomic<Bool>(false)

  @usableFromInline
  init(_ source: CacheFeature.Source, name: String?, strategy: KeyStrategy<Key>) {
    self.source = source
    self.strategy = strategy
    table = TableRegistry.Identity(
      key: ObjectIdentifier(Key.self),
      value: ObjectIdentifier(Value.self),
      name: name
    )
    isGlobal = if case .current = source { true } else { false }
    identity = isGlobal ? TableMemo.number(of: table) : 0
  }

  deinit {
    guard isUsing.load(ordering: .acquiring) else { return }
    unbound.clear()
    unboundTables.giveBack(table)
  }

  /// The tables of calls around which no caches are bound.
  private var unboundTables: TableRegistry {
    switch source {
    case .fixed(let tables): tables
    case .current: Caches.shared.defaultTables
    }
  }

  /// The table of this call.
  @usableFromInline
  func resolve() -> Cache<Key, Value> {
    if case .current = source, let bound = Caches.bound {
      let tables = bound.defaultTables
      let found = tables.table(Key.self, Value.self, name: table.name, strategy: strategy)
      tables.memo.insert(identity, found)
      return found
    }
    if let found = unbound.load() { return found }
    let tables = unboundTables
    let found: Cache<Key, Value> = tables.use(table, strategy: strategy)
    if isUsing.exchange(true, ordering: .acquiringAndReleasing) { tables.giveBack(table) }
    return unbound.storeIfNil(found)
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
