extension Cache {
  /// Stores a produced value in every tier, slowest first, and in memory.
  ///
  /// A lifetime of zero, and a value that cannot be encoded, take the older one out of the tiers.
  ///
  /// - Throws: for an expiry that is not a number, a renewal of nothing, under the fault policy `.fail`,
  ///   and when strict for a type that cannot be encoded; nothing older is left then.
  func store(
    _ produced: Produced<Value>,
    terms: LoadTerms,
    storing: (@Sendable (Value) -> Bool)? = nil,
    loadTime: Int64 = 0,
    previous: PreviousEntry<Value>? = nil,
    at slot: Slot<Key>
  ) async throws -> Loaded<Value> {
    let plan = try plan(produced, terms, storing, loadTime, previous, slot)
    let entryTerms = makeTerms(plan, slot)
    let loaded = plan.loaded(carrying: entryTerms)
    guard plan.isStored else { return loaded }
    var entry: CacheEntry?
    let storer = storer(slot)
    if let storeKey = slot.storeKey { core.barriers.raise(storeKey, storer) }
    defer { if let storeKey = slot.storeKey { core.barriers.lower(storeKey, storer) } }
    if let storeKey = slot.storeKey {
      let isSuperseded = isClosed(slot.registration, storeKey, storer, entryTerms)
      if produced.value == nil, let previous, plan.isKept {
        entry = try await renewedRecord(plan, previous, storeKey)
      }
      var failure: (any Error)?
      if entry == nil, plan.isKept { entry = encode(plan, storeKey, &failure) }
      for (index, tier) in core.tiers.enumerated().reversed() {
        guard let entry, failure == nil else {
          await tier.drop(storeKey, unless: isSuperseded)
          continue
        }
        do {
          let isWritten = try await tier.write(
            entry,
            storeKey,
            begun: slot.mark(index),
            unless: isSuperseded
          )
          core.note?.stores(in: tier.name, isWritten)
        } catch {
          failure = error
        }
      }
      if let failure {
        forget(plan, at: slot)
        throw failure
      }
    }
    insert(plan, entryTerms, payload: entry?.payload, at: slot)
    return loaded
  }

  /// The same on the calling thread; tiers that suspend queue their part.
  func storeBlocking(
    _ produced: Produced<Value>,
    terms: LoadTerms,
    loadTime: Int64 = 0,
    keepsExpired: Bool = false,
    at slot: Slot<Key>
  ) throws -> Loaded<Value> {
    let plan = try plan(produced, terms, nil, loadTime, nil, slot, keepsExpired: keepsExpired)
    let entryTerms = makeTerms(plan, slot)
    let loaded = plan.loaded(carrying: entryTerms)
    guard plan.isStored else { return loaded }
    var entry: CacheEntry?
    let storer = storer(slot)
    if let storeKey = slot.storeKey { core.barriers.raise(storeKey, storer) }
    defer { if let storeKey = slot.storeKey { core.barriers.lower(storeKey, storer) } }
    if let storeKey = slot.storeKey {
      let isSuperseded = isClosed(slot.registration, storeKey, storer, entryTerms)
      var failure: (any Error)?
      entry = plan.isKept ? encode(plan, storeKey, &failure) : nil
      for (index, tier) in core.tiers.enumerated().reversed() {
        guard let entry, failure == nil else {
          tier.dropBlocking(storeKey, unless: isSuperseded)
          continue
        }
        do {
          let isWritten = try tier.writeBlocking(
            entry,
            storeKey,
            begun: slot.mark(index),
            unless: isSuperseded
          )
          core.note?.stores(in: tier.name, isWritten)
        } catch {
          failure = error
        }
      }
      if let failure {
        forget(plan, at: slot)
        throw failure
      }
    }
    insert(plan, entryTerms, payload: entry?.payload, at: slot)
    return loaded
  }

  func plan(
    _ produced: Produced<Value>,
    _ terms: LoadTerms,
    _ storing: (@Sendable (Value) -> Bool)?,
    _ loadTime: Int64,
    _ previous: PreviousEntry<Value>?,
    _ slot: Slot<Key>,
    keepsExpired: Bool = false
  ) throws -> StoringPlan<Value> {
    guard let value = produced.value ?? previous?.previous.value else {
      throw CacheError.unexpectedNotModified(strategy.derive(slot.key))
    }
    let plan = try StoringPlan(
      produced,
      value: value,
      previous: previous,
      terms: terms,
      storing: storing,
      loadTime: loadTime,
      digest: storeKey(slot.key).digestPrefix,
      now: core.now,
      keepsExpired: keepsExpired
    )
    flights.claim(slot.registration, key: slot.key, hash: slot.hash)
    return plan
  }

  /// Says whether something must not store any more: it was superseded, another change is going on,
  /// or the cache was closed.
  func isClosed(
    _ registration: Registration,
    _ storeKey: CacheKey,
    _ storer: WriteBarriers.Storer,
    _ terms: EntryTerms?
  ) -> @Sendable () -> Bool {
    { [core] in
      registration.isSuperseded || (storer != .explicitWrite && core.isClosed)
        || core.barriers.stop(storeKey, storer)
        || terms.map(core.stamps.reach) ?? false
    }
  }

  func storer(_ slot: Slot<Key>) -> WriteBarriers.Storer {
    slot.registration.isWriter ? .explicitWrite : .load
  }
}
