import Synchronization

/// Keeps a feature's tables alive, one a triple of key type, value type and name.
///
/// Equal triples share table and flights. A function's table is kept while it holds anything, or a
/// function uses it, and is dropped when neither is so: a function that is made anew for each request
/// finds the entries of the one before, and one that is gone for good holds nothing in the end. All
/// other tables are kept while the registry lives. The feature's core knows its tables too, but weakly,
/// since they hold the core.
@usableFromInline
final class TableRegistry: Sendable {
  struct Identity: Hashable, Sendable {
    let key: ObjectIdentifier
    let value: ObjectIdentifier
    let name: String?
  }

  private struct Kept {
    let table: any CacheTable
    /// How many functions use it; `nil` when it is kept for good.
    var users: Int?
    /// Whether it stands among those to be dropped.
    var isListed = false

    mutating func use(isForGood: Bool) { users = isForGood ? nil : users.map { $0 + 1 } }
  }

  private struct State {
    var tables: [Identity: Kept] = [:]
    /// Tables that no function uses any more, to be dropped when they hold nothing.
    var unused: [Identity] = []
  }

  let core: FeatureCore
  /// The tables that hits look up.
  @usableFromInline let memo = TableMemo()
  private let state = Lock(State())

  init(_ core: FeatureCore) {
    self.core = core
    core.keeper.withLock { $0.registry = self }
  }

  /// The table of two types and a name, if it is there already.
  func known<Key: Hashable & Sendable, Value: Sendable>(
    _ key: Key.Type,
    _ value: Value.Type,
    name: String? = nil
  ) -> Cache<Key, Value>? {
    let identity = Identity(key: ObjectIdentifier(key), value: ObjectIdentifier(value), name: name)
    return state.withLock { $0.tables[identity]?.table } as? Cache<Key, Value>
  }

  /// The table of two types and a name, made on first use and kept for good; of two made at once the
  /// first stays.
  func table<Key: Hashable & Sendable, Value: Sendable>(
    _ key: Key.Type,
    _ value: Value.Type,
    name: String? = nil,
    strategy: @autoclosure () -> KeyStrategy<Key>
  ) -> Cache<Key, Value> {
    let identity = Identity(key: ObjectIdentifier(key), value: ObjectIdentifier(value), name: name)
    return table(identity, isForGood: true, strategy)
  }

  /// The table of a function, which has to give it back.
  func use<Key: Hashable & Sendable, Value: Sendable>(
    _ identity: Identity,
    strategy: @autoclosure () -> KeyStrategy<Key>
  ) -> Cache<Key, Value> {
    dropUnused(most: 2)
    return table(identity, isForGood: false, strategy)
  }

  private func table<Key: Hashable & Sendable, Value: Sendable>(
    _ identity: Identity,
    isForGood: Bool,
    _ strategy: () -> KeyStrategy<Key>
  ) -> Cache<Key, Value> {
    let found = state.withLock { state in
      state.tables[identity]?.use(isForGood: isForGood)
      return state.tables[identity]?.table
    }
    if let table = found as? Cache<Key, Value> { return table }
    let strategy = strategy()
    // The immediate forms and those with key closures meet in one table, whatever they load from.
    let isShared = identity.name == nil && strategy.isIdentity
    let made = Cache<Key, Value>(
      core: core,
      strategy: strategy,
      name: identity.name,
      breaker: isShared ? nil : SharedBreaker()
    )
    let (kept, isSecond) = state.withLock { state -> (any CacheTable, Bool) in
      if state.tables[identity] == nil { state.tables[identity] = Kept(table: made, users: 0) }
      state.tables[identity]?.use(isForGood: isForGood)
      let kept = state.tables[identity]?.table ?? made
      return (kept, kept === made && state.tables.count == 2)
    }
    if isSecond { core.adviseOnTables() }
    return kept as? Cache<Key, Value> ?? made
  }

  /// Gives a function's table back.
  func giveBack(_ identity: Identity) {
    state.withLock { state in
      guard let users = state.tables[identity]?.users else { return }
      state.tables[identity]?.users = users - 1
      guard users == 1, state.tables[identity]?.isListed == false else { return }
      state.tables[identity]?.isListed = true
      state.unused.append(identity)
    }
    dropUnused(most: 2)
  }

  /// Drops the tables that no function uses and that hold nothing.
  ///
  /// - Parameter most: how many to look at, those that were given back last before all others.
  func dropUnused(most: Int = .max) {
    var dropped: [any CacheTable] = []
    let count = state.withLock { min(most, $0.unused.count) }
    for _ in 0..<count {
      let table = state.withLock { state -> (any CacheTable)? in
        guard let identity = state.unused.popLast() else { return nil }
        guard state.tables[identity]?.users == 0 else {
          state.tables[identity]?.isListed = false
          return nil
        }
        // Whoever uses it holds its function, or has a flight there.
        if state.tables[identity]?.table.isIdle == true {
          return state.tables.removeValue(forKey: identity)?.table
        }
        state.unused.insert(identity, at: 0)
        return nil
      }
      // Released outside the lock.
      if let table { dropped.append(table) }
    }
    _ = consume dropped
  }
}

/// The registry of a feature, as its core knows it.
struct TableKeeper: Sendable {
  weak var registry: TableRegistry?
}
