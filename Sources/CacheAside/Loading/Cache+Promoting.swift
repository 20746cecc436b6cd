// What was found in a slower tier goes into the faster ones and into memory, with its remaining life.

extension Cache {
  /// Puts what was found into the faster tiers and into memory.
  func promote(_ found: Found<Value>, _ storeKey: CacheKey, _ slot: Slot<Key>) async {
    guard mayPromote(found) else { return }
    let terms = terms(of: found, at: slot)
    for (index, tier) in core.tiers[..<found.index].enumerated().reversed() {
      // A promotion is nobody's write: its failure is an event, under every fault policy.
      do {
        try await tier.write(
          found.entry,
          storeKey,
          begun: slot.mark(index),
          unless: isClosed(slot.registration, storeKey, .promotion, terms)
        )
      } catch { continue }
    }
    admit(found, terms, at: slot)
  }

  /// The same on the calling thread.
  func promoteBlocking(_ found: Found<Value>, _ storeKey: CacheKey, _ slot: Slot<Key>) {
    guard mayPromote(found) else { return }
    let terms = terms(of: found, at: slot)
    for (index, tier) in core.tiers[..<found.index].enumerated().reversed() {
      do {
        try tier.writeBlocking(
          found.entry,
          storeKey,
          begun: slot.mark(index),
          unless: isClosed(slot.registration, storeKey, .promotion, terms)
        )
      } catch { continue }
    }
    admit(found, terms, at: slot)
  }

  /// What is fresh, or in a window of its own.
  private func mayPromote(_ found: Found<Value>) -> Bool {
    found.loaded.isFresh || found.loaded.stale != .anyAge
  }

  /// What the entry of a found record carries in memory.
  func terms(of found: Found<Value>, at slot: Slot<Key>) -> EntryTerms? {
    let metadata = found.entry.metadata
    let windows = found.entry.windows
    let namespace = scopeNamespace(of: slot.key)
    let life = Lifetime(freshUntil: found.entry.freshUntil, wall: found.entry.created)
    return shared(
      EntryTerms(
        staleWhileRevalidate: windows.whileRevalidating,
        staleIfError: windows.ifError,
        idle: metadata.idleInterval ?? 0,
        idleMaximum: metadata.idleInterval == nil ? 0 : life.remaining,
        loadTime: metadata.loadTime ?? 0,
        validator: metadata.validator,
        tags: metadata.tags,
        namespace: namespace,
        begun: metadata.tags.isEmpty && namespace == nil ? 0 : slot.begun,
        isExpiredByHand: found.entry.isExpiredByHand,
        isDue: found.loaded.isFresh
          && core.refreshes.reach(storeKey(slot.key), found.entry, wall: core.time.wall)
      )
    )
  }

  private func admit(_ found: Found<Value>, _ terms: EntryTerms?, at slot: Slot<Key>) {
    let value = found.loaded.value
    let idle = terms?.idle ?? 0
    // A record that memory has too, expired, is no new value.
    let isSame = memory.entry(for: slot.key, hash: slot.hash).map {
      Lifetime.distance($0.storedAt, found.loaded.storedAt) < Self.tick
    }
    insert(
      value,
      storedAt: found.loaded.storedAt,
      deadline: idle > 0
        ? min(found.loaded.deadline, Lifetime.sum(core.time.precise, idle)) : found.loaded.deadline,
      kept: found.entry.kept,
      cost: costOf?(value) ?? DefaultCost.of(value, encoded: found.entry.payload),
      terms: terms,
      refreshAhead: core.terms.fields.refreshAhead,
      isRenewal: isSame == true,
      by: .promotion,
      at: slot
    )
  }
}
