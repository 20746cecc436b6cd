// Remembered errors: only those whose types the policy names, in a small table of their own, so that
// the memory table and its hits know nothing of them.

import Synchronization

/// An error that is thrown again without a load.
struct RememberedError: Sendable {
  let error: any Error
}

extension Cache {
  /// How many errors are remembered at most.
  static var rememberedErrors: Int { 10_000 }

  /// Remembers an error, if the policy wants it and no change of the key has come first.
  func remember(
    _ error: any Error,
    _ slot: Slot<Key>,
    _ terms: LoadTerms,
    _ now: Int64
  ) {
    guard let expiry = terms.fields.cachedErrors?.expiry(of: error),
      // The terms are checked: it is a number.
      let lifetime = try? Lifetime(expiry, wall: core.time.wall), lifetime.isPositive,
      let table = errorTable
    else { return }
    failures.raise()
    let key = slot.hashed
    let hash = table.hash(of: key)
    let storedAt = table.clockNow()
    // Declared outside the flight table's lock, so that it is released outside it.
    var displaced = table.makeDisplaced(for: hash)
    _ = flights.ifOpen(slot.registration, hash: slot.hash) {
      table.insert(
        RememberedError(error: error),
        for: key,
        hash: hash,
        storedAt: storedAt,
        deadline: lifetime.deadline(from: now),
        cost: 1,
        displaced: &displaced
      )
    }
  }

  /// The error that a call throws without a load; counted as a hit.
  func rememberedError(_ key: Key, _ hash: UInt64) -> (any Error)? {
    guard let table = errors.load(),
      let remembered = table.value(for: HashedKey(key: key, hash: hash))
    else { return nil }
    core.counters.lateHits.add()
    core.note?.decides(.cachedErrors)
    return remembered.error
  }

  /// Forgets an error and a producer's rest: the key was loaded, written, removed or expired.
  @usableFromInline
  func forgetFailure(_ key: Key, _ hash: UInt64) {
    let hashed = HashedKey(key: key, hash: hash)
    rests.end(hashed)
    if let table = errors.load() { _ = table.remove(hashed) }
  }

  /// The same for all keys.
  func forgetFailures() {
    rests.endAll()
    errors.load()?.removeAll(reason: .invalidated)
  }

  private var errorTable: MemoryStore<HashedKey<Key>, RememberedError>? {
    if let table = errors.load() { return table }
    let limits = MemoryLimits.count(Self.rememberedErrors)
    // Only limits below zero are refused.
    guard
      let made = try? MemoryStore<HashedKey<Key>, RememberedError>(limits: limits, time: core.time)
    else { return nil }
    return errors.storeIfNil(made)
  }
}
