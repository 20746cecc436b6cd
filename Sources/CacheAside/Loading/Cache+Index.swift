// How a key of the feature is found in this table. Whatever reaches a table by a printed key comes
// through `forEachKey(printedAs:)`.

import Synchronization

extension Cache {
  /// Calls a function with every key of this table that prints as a key of the feature and that
  /// memory, a registration or a failure knows.
  ///
  /// - Parameters:
  ///   - key: the key; without a namespace it is in the feature's.
  ///   - body: called outside every lock.
  /// - Complexity: O(1); in a feature without slower stores the first look-up of a table keyed by
  ///   arguments is O(n), and what the table stores from then on is noted for the next.
  func forEachKey(printedAs key: CacheKey, _ body: (Key) -> Void) {
    guard strategy.mayDerive(key) else { return }
    // Keys of the table carry a namespace only under a scope.
    let isOurs = key.namespace == nil || key.namespace == core.namespace
    guard isOurs || strategy.isIdentity else { return }
    let bare = isOurs ? key.moved(to: nil) : key
    if let argument = strategy.argument {
      guard let own = argument(bare) else { return }
      WorkLog.count(.derivedKey)
      if strategy.derive(own) == bare { body(own) }
      return
    }
    for own in ownKeys(printedAs: bare) { body(own) }
  }

  private func ownKeys(printedAs key: CacheKey) -> [Key] {
    if let index = flights.index.load(), index.isComplete { return index.keys(printedAs: key) }
    let index = makeIndex()
    guard index.beginFilling() else {
      // Somebody else is about to have filled it.
      return heldKeys.filter {
        WorkLog.count(.entry)
        return storeKey($0).moved(to: nil) == key
      }
    }
    // Writes at once register from now on, and so are noted.
    for gate in gates { gate.hold() }
    for key in heldKeys {
      WorkLog.count(.entry)
      index.note(key)
    }
    index.endFilling()
    return index.keys(printedAs: key)
  }

  /// The keys that are registered, in memory, backing off or failed, in the order in which a key goes
  /// from one to the next.
  private var heldKeys: [Key] {
    var keys = flights.stripes.flatMap { $0.keys.map(\.key) }
    keys += memory.keys()
    keys += rests.keys.map(\.key)
    keys += errors.load()?.keys().map(\.key) ?? []
    return keys
  }

  /// The index of what the keys of this table print as, from now on kept by all who register.
  func makeIndex() -> KeyIndex<Key> {
    if let index = flights.index.load() { return index }
    return flights.index.storeIfNil(
      KeyIndex(
        seed: core.time.random(),
        derive: strategy.derive,
        hash: { [memory] in memory.hash(of: $0) },
        isHeld: { [weak self] in self?.holds($0) ?? false }
      )
    )
  }

  private func holds(_ key: HashedKey<Key>) -> Bool {
    flights.stripe(key.hash).holds(key) || memory.holds(key.key, hash: key.hash)
      || rests.holds(key) || errors.load()?.holds(key) ?? false
  }

  /// Gives back what the index knows beyond what the table holds, after much has left it.
  func cleanIndex() {
    guard let index = flights.index.load(), index.count > 1_024 + 2 * memory.count else { return }
    index.cleanAll()
  }
}
