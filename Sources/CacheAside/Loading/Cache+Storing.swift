extension Cache {
  /// Stores a produced value in every tier, slowest first, and in memory.
  ///
  /// - Throws: for an expiry that is not a number, and under the fault policy `.fail`.
  func store(
    _ produced: Produced<Value>,
    policy: CachePolicy,
    storing: (@Sendable (Value) -> Bool)?,
    at slot: Slot<Key>
  ) async throws -> Loaded<Value> {
    let plan = try StoringPlan(produced, policy: policy, storing: storing, now: core.now)
    guard plan.isStored else { return plan.loaded }
    if plan.lifetime.isPositive, let storeKey = slot.storeKey {
      if let entry = encode(plan, storeKey) {
        for tier in core.tiers.reversed() {
          try await tier.write(entry, storeKey) { slot.registration.isSuperseded }
        }
        insert(plan, payload: entry.payload, at: slot)
        return plan.loaded
      }
      for tier in core.tiers.reversed() {
        await tier.drop(storeKey) { slot.registration.isSuperseded }
      }
    }
    insert(plan, payload: nil, at: slot)
    return plan.loaded
  }

  /// The same on the calling thread; tiers that suspend queue their part.
  func storeBlocking(
    _ produced: Produced<Value>,
    policy: CachePolicy,
    at slot: Slot<Key>
  ) throws -> Loaded<Value> {
    let plan = try StoringPlan(produced, policy: policy, storing: nil, now: core.now)
    guard plan.isStored else { return plan.loaded }
    if plan.lifetime.isPositive, let storeKey = slot.storeKey {
      if let entry = encode(plan, storeKey) {
        for tier in core.tiers.reversed() {
          try tier.writeBlocking(entry, storeKey) { slot.registration.isSuperseded }
        }
        insert(plan, payload: entry.payload, at: slot)
        return plan.loaded
      }
      for tier in core.tiers.reversed() {
        tier.dropBlocking(storeKey) { slot.registration.isSuperseded }
      }
    }
    insert(plan, payload: nil, at: slot)
    return plan.loaded
  }

  /// The record of a value; `nil` when it cannot be encoded and stays in memory.
  private func encode(_ plan: StoringPlan<Value>, _ storeKey: CacheKey) -> CacheEntry? {
    do {
      guard let codec else {
        throw CacheError(
          .unsupportedType,
          "\(Value.self) has no codec; make it Codable or give the cache a codec",
          key: storeKey
        )
      }
      let freshUntil = plan.lifetime.freshUntil(from: plan.now.wall)
      let kept = Lifetime(remaining: (core.policy.keepExpired ?? .zero).nanoseconds)
      return CacheEntry(
        payload: try codec.encodeEntryPayload(plan.value),
        codec: codec.identifier,
        type: type,
        created: plan.now.wall,
        freshUntil: freshUntil,
        keptUntil: freshUntil == .max ? .max : kept.freshUntil(from: freshUntil)
      )
    } catch {
      core.counters.encodeFailures.add()
      core.report(.encodeFailed, key: storeKey, error: error)
      return nil
    }
  }

  /// Puts a value into memory, unless it has been superseded.
  private func insert(_ plan: StoringPlan<Value>, payload: [UInt8]?, at slot: Slot<Key>) {
    let cost = plan.cost ?? costOf?(plan.value) ?? DefaultCost.of(plan.value, encoded: payload)
    insert(
      plan.value,
      storedAt: plan.loaded.storedAt,
      deadline: plan.lifetime.isPositive ? plan.loaded.deadline : .min,
      cost: cost,
      at: slot
    )
  }

  /// Puts a value into memory, unless it has been superseded; what it displaces is released after
  /// the locks.
  func insert(_ value: Value, storedAt: Int64, deadline: Int64, cost: Int, at slot: Slot<Key>) {
    let kept = (core.policy.keepExpired ?? .zero).nanoseconds
    // Declared outside the flight table's lock, so that it is released outside it.
    var displaced = memory.makeDisplaced(for: slot.hash)
    let isStored = flights.commit(slot.registration, key: slot.key, hash: slot.hash) {
      memory.insert(
        value,
        for: slot.key,
        hash: slot.hash,
        storedAt: storedAt,
        deadline: deadline,
        keptUntil: kept == 0 ? nil : Lifetime.sum(deadline, kept),
        cost: cost,
        displaced: &displaced
      )
    }
    if isStored != nil { supersedeSiblings(slot.key) }
    if isStored == false, deadline > storedAt, core.memoryPlan.storesAnything {
      core.report(.rejected, store: "memory", key: strategy.derive(slot.key))
    }
    if deadline != .max { core.startSweeper() }
  }
}
