// The last step of every storing: into memory, unless it has been superseded.

import Synchronization

extension Cache {
  /// What an entry carries in memory beyond its times; entries that agree share one object.
  func makeTerms(_ plan: StoringPlan<Value>, _ slot: Slot<Key>) -> EntryTerms? {
    shared(
      EntryTerms(
        staleWhileRevalidate: plan.windows.whileRevalidating,
        staleIfError: plan.windows.ifError,
        idle: plan.idle,
        idleMaximum: plan.idle > 0 ? plan.lifetime.remaining : 0,
        loadTime: plan.loadTime,
        validator: plan.validator,
        tags: plan.tags,
        namespace: scopeNamespace(of: slot.key),
        begun: plan.tags.isEmpty && scopeNamespace(of: slot.key) == nil ? 0 : slot.begun,
        isPinned: plan.isPinned
      )
    )
  }

  /// The namespace of a key under a scope; such a key carries it.
  func scopeNamespace(of key: Key) -> Namespace? {
    strategy.isIdentity ? (key as? CacheKey)?.namespace : nil
  }

  /// One object for all that say the same, as far as they come one after the other.
  func shared(_ terms: EntryTerms) -> EntryTerms? {
    if terms == EntryTerms.none { return nil }
    return lastTerms.withLock { last in
      if let known = last, known == terms { return known }
      last = terms
      return terms
    }
  }

  /// Puts a value into memory, unless it has been superseded.
  func insert(
    _ plan: StoringPlan<Value>,
    _ terms: EntryTerms?,
    payload: [UInt8]?,
    at slot: Slot<Key>
  ) {
    let cost = plan.cost ?? costOf?(plan.value) ?? DefaultCost.of(plan.value, encoded: payload)
    let storedAt = plan.now.monotonic
    let deadline = plan.isKept ? plan.deadline : .min
    insert(
      plan.value,
      storedAt: storedAt,
      deadline: plan.idle > 0 ? min(deadline, Lifetime.sum(storedAt, plan.idle)) : deadline,
      kept: plan.kept,
      cost: cost,
      terms: terms,
      refreshAhead: plan.refreshAhead,
      isRenewal: plan.isRenewal,
      by: slot.registration.isWriter ? .explicitWrite : .load,
      at: slot
    )
  }

  /// Takes what is older out of memory: a slower tier with the fault policy `.fail` failed.
  func forget(_ plan: StoringPlan<Value>, at slot: Slot<Key>) {
    // A value without any life replaces what is there and is not kept.
    insert(
      plan.value,
      storedAt: plan.now.monotonic,
      deadline: .min,
      kept: 0,
      cost: 0,
      terms: nil,
      by: slot.registration.isWriter ? .explicitWrite : .load,
      at: slot
    )
  }

  /// Puts a value into memory, unless it has been superseded; what it displaces is released after
  /// the locks.
  func insert(
    _ value: Value,
    storedAt: Int64,
    deadline: Int64,
    kept: Int64,
    cost: Int,
    terms: EntryTerms?,
    refreshAhead: RefreshAhead? = nil,
    isRenewal: Bool = false,
    by storer: WriteBarriers.Storer,
    at slot: Slot<Key>
  ) {
    let isBehindBarrier = slot.storeKey.map {
      isClosed(slot.registration, $0, storer, terms)
    }
    let attention =
      terms?.isDue == true
      ? storedAt
      : refreshAhead?.attention(
        storedAt: storedAt,
        deadline: deadline,
        loadTime: terms?.loadTime ?? 0
      )
    // Declared outside the flight table's lock, so that it is released outside it.
    var displaced = memory.makeDisplaced(for: slot.hash)
    let isStored =
      flights.commit(
        slot.registration,
        key: slot.key,
        hash: slot.hash,
        isChange: storer != .promotion
      ) { () -> Bool? in
        // Closing empties the table under the same lock, after it has set the flag.
        if core.isClosed || isBehindBarrier?() == true { return nil }
        return memory.insert(
          value,
          for: slot.key,
          hash: slot.hash,
          storedAt: storedAt,
          deadline: deadline,
          keptUntil: kept == 0 || deadline == .min ? nil : Lifetime.sum(deadline, kept),
          cost: cost,
          terms: terms,
          attentionAt: attention,
          isRenewal: isRenewal,
          displaced: &displaced
        )
      } ?? nil
    if core.memoryPlan.storesAnything { core.note?.stores(in: "memory", isStored == true) }
    if isStored != nil {
      if storer == .explicitWrite {
        supersedeSiblings(slot.key)
      } else {
        supersedeSiblings(slot.key, storedBy: storedAt)
      }
    }
    if isStored != nil, storer != .promotion { forgetFailure(slot.key, slot.hash) }
    if isStored == false, deadline > storedAt, core.memoryPlan.storesAnything {
      core.report(.rejected, store: "memory", key: strategy.derive(slot.key))
    }
    if isStored == true, deadline != .max || core.followsLedgers { core.startSweeper() }
  }
}
