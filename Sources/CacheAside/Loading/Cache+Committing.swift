// The step of an update in memory.

import Synchronization

extension Cache {
  /// Stores in memory what was computed from the value before, unless it has changed since.
  ///
  /// - Parameters:
  ///   - plan: what is stored.
  ///   - mayPrecede: whether an explicit write that has begun may be stored over it.
  ///   - successor: the explicit write that goes on with the slower stores.
  ///   - slot: the place.
  /// - Returns: whether the successor stands; `nil` if nothing was stored.
  func commit(
    _ plan: StoringPlan<Value>,
    mayPrecede: Bool,
    successor: Registration?,
    at slot: Slot<Key>
  ) -> Bool? {
    let terms = makeTerms(plan, slot)
    let cost = plan.cost ?? costOf?(plan.value) ?? DefaultCost.of(plan.value, encoded: nil)
    let storedAt = plan.now.monotonic
    // A value without any life replaces what is there and is not kept.
    var deadline = plan.lifetime.isPositive ? plan.deadline : .min
    if plan.idle > 0 { deadline = min(deadline, Lifetime.sum(storedAt, plan.idle)) }
    let isKept = plan.kept > 0 && deadline != .min
    let attention = plan.refreshAhead?.attention(
      storedAt: storedAt,
      deadline: deadline,
      loadTime: 0
    )
    // Declared outside the flight table's lock, so that it is released outside it.
    var displaced = memory.makeDisplaced(for: slot.hash)
    flights.watches.note(slot.hash)
    let done = flights.stripe(slot.hash).update(
      slot.registration,
      HashedKey(key: slot.key, hash: slot.hash),
      mayPrecede: mayPrecede,
      successor: successor
    ) { () -> (isStored: Bool, isOvertaken: Bool) in
      let isStored = memory.insert(
        plan.value,
        for: slot.key,
        hash: slot.hash,
        storedAt: storedAt,
        deadline: deadline,
        keptUntil: isKept ? Lifetime.sum(deadline, plan.kept) : nil,
        cost: cost,
        terms: terms,
        attentionAt: attention,
        displaced: &displaced
      )
      // Invalidated since the value before was read: memory refuses this one, and leaves that one,
      // which it replaces.
      guard !isStored, let terms, core.stamps.reach(terms) else { return (isStored, false) }
      memory.remove(slot.key, hash: slot.hash, reason: .invalidated, displaced: &displaced)
      return (false, true)
    }
    guard let done else { return nil }
    forgetFailure(slot.key, slot.hash)
    finishWrite(
      of: slot.key,
      isStored: done.stored.isStored || done.stored.isOvertaken || deadline == .min,
      hasEnd: deadline != .max && deadline != .min
    )
    return done.goesOn
  }

  /// Removes from memory, unless the value has changed since it was read.
  ///
  /// - Parameters:
  ///   - mayPrecede: whether an explicit write that has begun may be stored after it.
  ///   - successor: the removal that goes on with the slower stores.
  ///   - slot: the place.
  /// - Returns: whether the successor stands; `nil` if nothing was removed.
  func commitRemoval(
    mayPrecede: Bool,
    successor: Registration?,
    at slot: Slot<Key>
  ) -> Bool? {
    // Declared outside the flight table's lock, so that it is released outside it.
    var displaced = memory.makeDisplaced(for: slot.hash)
    flights.watches.note(slot.hash)
    let done = flights.stripe(slot.hash).update(
      slot.registration,
      HashedKey(key: slot.key, hash: slot.hash),
      mayPrecede: mayPrecede,
      successor: successor
    ) { memory.remove(slot.key, hash: slot.hash, reason: .explicit, displaced: &displaced) }
    guard let done else { return nil }
    forgetFailure(slot.key, slot.hash)
    finishWrite(of: slot.key, isStored: true, hasEnd: false)
    return done.goesOn
  }
}
