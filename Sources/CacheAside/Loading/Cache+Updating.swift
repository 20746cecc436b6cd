// Changing a value in place: read, compute, store, again from the start if anything else was stored
// meanwhile. The function that computes runs outside all locks.
//
// In memory this is compare-and-set by registration (`FlightStripe.update`): it fails only where
// another change succeeded. With slower stores one update of a key runs at a time, from reading to the
// last store, so that the next one reads what this one wrote also where memory keeps nothing.

import Synchronization

/// The value that an update begins with.
private struct Current<Value: Sendable>: Sendable {
  var value: Value?
  /// Whether memory had it, so that every write that has reached a store is in it.
  var isInMemory: Bool
}

extension Cache {
  /// Changes the value of a key in place, or makes or removes it.
  ///
  /// Atomic for each key against other updates, sets, removals and loads of this cache: what the
  /// function got is what was there when its result was stored. Loads that are going on still answer
  /// those who wait for them, and are not stored. The change is written through to the slower stores
  /// before this returns, as `set` does; it is atomic against other processes in none of them.
  ///
  /// The function gets the fresh value or `nil`, and leaves the new one or `nil`, which removes the
  /// key. When something else was stored meanwhile it is called again, with the newer value: it must
  /// do nothing but compute. It is called outside all locks.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long the new value stays fresh; `nil` takes the policy's.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - cost: its cost in memory; `nil` takes the default.
  ///   - pinned: whether memory keeps it when it needs room.
  ///   - change: changes the value.
  /// - Returns: what the function returns.
  /// - Throws: what the function throws, and then nothing has changed; `CacheError` for an expiry
  ///   that is not a number, a missing scope, with the code `closed` once ``close(within:)`` has begun, or
  ///   when it could not wait for this, and under the fault policy `.fail`; `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func update<Result: Sendable>(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    cost: Int? = nil,
    pinned: Bool = false,
    _ change: (inout Value?) throws -> Result
  ) async throws -> Result {
    if let scoped = scoped(key) {
      return try await scoped.table.update(
        scoped.key,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags,
        cost: cost,
        pinned: pinned,
        change
      )
    }
    let policy = CachePolicy(
      over: nil,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    )
    let makes: (Value) -> Produced<Value> = { Produced($0, cost: cost, isPinned: pinned) }
    return try await core.performing(core.changeNote("update", tableName, key: storeKey(key))) {
      let terms = try writeTerms(policy)
      guard let gate = core.updates else { return try await compute(key, terms, makes, change) }
      return try await gate.withGate(storeKey(key).stripe) {
        try await self.compute(key, terms, makes, change)
      }
    }
  }

  /// Computes until nothing has come in between.
  private nonisolated(nonsending) func compute<Result: Sendable>(
    _ key: Key,
    _ terms: LoadTerms,
    _ makes: (Value) -> Produced<Value>,
    _ change: (inout Value?) throws -> Result
  ) async throws -> Result {
    let hash = memory.hash(of: key)
    while true {
      try Task.checkCancellation()
      let slot = Slot(
        key: key,
        hash: hash,
        storeKey: core.hasTiers ? storeKey(key) : nil,
        registration: flights.register(key, hash: hash),
        begun: core.stamps.now,
        marks: core.loadMarks
      )
      defer { flights.unregister(slot.registration, key: key, hash: hash) }
      let before = try await current(slot)
      var value = before.value
      let result = try core.outsideNote { try change(&value) }
      // Also where nothing fresh was found: what is stale, or could not be read, goes too.
      if try await store(value.map(makes), before, terms, slot) { return result }
      await Task.yield()
    }
  }

  /// The fresh value that an update begins with; uncounted.
  private nonisolated(nonsending) func current(_ slot: Slot<Key>) async throws -> Current<Value> {
    if let entry = memory.entry(for: slot.key, hash: slot.hash),
      core.time.precise < entry.deadline
    {
      return Current(value: entry.value, isInMemory: true)
    }
    if let form = siblingHit(slot.key) { return Current(value: form.value, isInMemory: true) }
    guard let storeKey = slot.storeKey else {
      return Current(value: nil, isInMemory: true)
    }
    // What is just being removed from the stores is gone.
    if core.barriers.stop(storeKey, .load) { return Current(value: nil, isInMemory: false) }
    let found = try await find(storeKey, anyAge: false)
    return Current(value: found?.loaded.value, isInMemory: false)
  }

  /// Stores in memory, if nothing has come in between, and then in the slower stores; or removes.
  ///
  /// - Returns: whether it was done.
  private nonisolated(nonsending) func store(
    _ produced: Produced<Value>?,
    _ before: Current<Value>,
    _ terms: LoadTerms,
    _ slot: Slot<Key>
  ) async throws -> Bool {
    let successor =
      slot.storeKey == nil ? nil : Registration(isWriter: true, isCommitted: true)
    if let storeKey = slot.storeKey { core.barriers.raise(storeKey) }
    defer { if let storeKey = slot.storeKey { core.barriers.lower(storeKey) } }
    let mayPrecede = before.isInMemory
    let done: Bool?
    if let produced {
      let plan = try plan(produced, terms, nil, 0, nil, slot)
      done = commit(plan, mayPrecede: mayPrecede, successor: successor, at: slot)
    } else {
      done = commitRemoval(mayPrecede: mayPrecede, successor: successor, at: slot)
    }
    guard let goesOn = done else { return false }
    guard goesOn, let successor, let storeKey = slot.storeKey else { return true }
    defer { flights.unregister(successor, key: slot.key, hash: slot.hash) }
    guard let produced else {
      let isSuperseded = isClosed(successor, storeKey, .explicitWrite, nil)
      for tier in core.tiers.reversed() { await tier.drop(storeKey, unless: isSuperseded) }
      flights.closeReaders(slot.key, hash: slot.hash)
      return true
    }
    let place = Slot(
      key: slot.key,
      hash: slot.hash,
      storeKey: storeKey,
      registration: successor,
      begun: slot.begun,
      marks: []
    )
    let stored = try await store(produced, terms: terms, at: place)
    if isOvertaken(stored, place) { await removeOvertaken(place) }
    return true
  }
}
