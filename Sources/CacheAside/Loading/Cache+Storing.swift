extension Cache {
  /// Stores a produced value in every tier, slowest first, and in memory.
  ///
  /// A lifetime of zero, and a value that cannot be encoded, take the older one out of the tiers.
  ///
  /// - Throws: for an expiry that is not a number, and under the fault policy `.fail`; nothing
  ///   older is left then.
  func store(
    _ produced: Produced<Value>,
    policy: CachePolicy,
    storing: (@Sendable (Value) -> Bool)?,
    at slot: Slot<Key>
  ) async throws -> Loaded<Value> {
    let plan = try StoringPlan(produced, policy: policy, storing: storing, now: core.now)
    guard plan.isStored else { return plan.loaded }
    var entry: CacheEntry?
    let storer = storer(slot)
    if let storeKey = slot.storeKey { core.barriers.raise(storeKey, storer) }
    defer { if let storeKey = slot.storeKey { core.barriers.lower(storeKey, storer) } }
    if let storeKey = slot.storeKey {
      let isSuperseded = isClosed(slot.registration, storeKey, storer)
      entry = plan.lifetime.isPositive ? encode(plan, storeKey) : nil
      var failure: (any Error)?
      for tier in core.tiers.reversed() {
        guard let entry, failure == nil else {
          await tier.drop(storeKey, unless: isSuperseded)
          continue
        }
        do { try await tier.write(entry, storeKey, unless: isSuperseded) } catch {
          failure = error
        }
      }
      if let failure {
        forget(plan, at: slot)
        throw failure
      }
    }
    insert(plan, payload: entry?.payload, at: slot)
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
    var entry: CacheEntry?
    let storer = storer(slot)
    if let storeKey = slot.storeKey { core.barriers.raise(storeKey, storer) }
    defer { if let storeKey = slot.storeKey { core.barriers.lower(storeKey, storer) } }
    if let storeKey = slot.storeKey {
      let isSuperseded = isClosed(slot.registration, storeKey, storer)
      entry = plan.lifetime.isPositive ? encode(plan, storeKey) : nil
      var failure: (any Error)?
      for tier in core.tiers.reversed() {
        guard let entry, failure == nil else {
          tier.dropBlocking(storeKey, unless: isSuperseded)
          continue
        }
        do { try tier.writeBlocking(entry, storeKey, unless: isSuperseded) } catch {
          failure = error
        }
      }
      if let failure {
        forget(plan, at: slot)
        throw failure
      }
    }
    insert(plan, payload: entry?.payload, at: slot)
    return plan.loaded
  }

  /// Says whether something must not store any more: it was superseded, another change is going on,
  /// or the cache was closed.
  func isClosed(
    _ registration: Registration,
    _ storeKey: CacheKey,
    _ storer: WriteBarriers.Storer
  ) -> @Sendable () -> Bool {
    { [core] in
      registration.isSuperseded || core.isClosed || core.barriers.stop(storeKey, storer)
    }
  }

  private func storer(_ slot: Slot<Key>) -> WriteBarriers.Storer {
    slot.registration.isWriter ? .explicitWrite : .load
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
      let kept = Lifetime(remaining: plan.kept)
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
      kept: plan.kept,
      cost: cost,
      by: storer(slot),
      at: slot
    )
  }

  /// Takes what is older out of memory: a slower tier with the fault policy `.fail` failed.
  private func forget(_ plan: StoringPlan<Value>, at slot: Slot<Key>) {
    // A value without any life replaces what is there and is not kept.
    insert(
      plan.value,
      storedAt: plan.now.monotonic,
      deadline: .min,
      kept: 0,
      cost: 0,
      by: storer(slot),
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
    by storer: WriteBarriers.Storer,
    at slot: Slot<Key>
  ) {
    let isBehindBarrier = slot.storeKey.map {
      isClosed(slot.registration, $0, storer)
    }
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
          keptUntil: kept == 0 ? nil : Lifetime.sum(deadline, kept),
          cost: cost,
          displaced: &displaced
        )
      } ?? nil
    if isStored != nil { supersedeSiblings(slot.key) }
    if isStored == false, deadline > storedAt, core.memoryPlan.storesAnything {
      core.report(.rejected, store: "memory", key: strategy.derive(slot.key))
    }
    if isStored == true, deadline != .max { core.startSweeper() }
  }
}
