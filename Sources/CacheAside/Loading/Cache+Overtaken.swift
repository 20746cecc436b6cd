// What an explicit write does when an invalidation by tag or scope has reached its value before it was
// stored everywhere: neither the value nor the older one under its key may stay. It is a step of the
// write, made on its registration, so that it takes away nothing that was written after it. Called by
// `set` and `update`.

extension Cache {
  /// Whether what an explicit write was to store was invalidated meanwhile, so that nothing older may
  /// be left in its place.
  func isOvertaken(_ loaded: Loaded<Value>, _ slot: Slot<Key>) -> Bool {
    guard let terms = loaded.terms else { return false }
    return core.stamps.reach(terms) && !slot.registration.isSuperseded
  }

  /// Removes the key of such a write from every tier, slowest first, unless something newer takes its
  /// place.
  ///
  /// A tier that fails is an event and serves no older value.
  func removeOvertaken(_ slot: Slot<Key>) async {
    guard let storeKey = slot.storeKey else { return removeOvertakenInMemory(slot) }
    core.barriers.raise(storeKey)
    defer { core.barriers.lower(storeKey) }
    let isClosed = isClosed(slot.registration, storeKey, .explicitWrite, nil)
    for tier in core.tiers.reversed() { await tier.drop(storeKey, unless: isClosed) }
    removeOvertakenInMemory(slot)
  }

  /// The same on the calling thread.
  func removeOvertakenBlocking(_ slot: Slot<Key>) {
    guard let storeKey = slot.storeKey else { return removeOvertakenInMemory(slot) }
    core.barriers.raise(storeKey)
    defer { core.barriers.lower(storeKey) }
    let isClosed = isClosed(slot.registration, storeKey, .explicitWrite, nil)
    for tier in core.tiers.reversed() { tier.dropBlocking(storeKey, unless: isClosed) }
    removeOvertakenInMemory(slot)
  }

  private func removeOvertakenInMemory(_ slot: Slot<Key>) {
    // Declared outside the flight table's lock, so that it is released outside it.
    var displaced = memory.makeDisplaced(for: slot.hash)
    let isRemoved: Bool? = flights.commit(
      slot.registration,
      key: slot.key,
      hash: slot.hash,
      isChange: true
    ) {
      memory.remove(slot.key, hash: slot.hash, reason: .invalidated, displaced: &displaced)
      return true
    }
    guard isRemoved == true else { return }
    supersedeSiblings(slot.key)
    forgetFailure(slot.key, slot.hash)
  }
}
