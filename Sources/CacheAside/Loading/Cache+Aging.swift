// What a call may get without waiting for a load: a value that is refreshed ahead of its end, one in
// its stale window, one whose producer rests, a remembered error.

extension Cache {
  /// A fresh hit of the memory table with its times; counted as a hit.
  func memoryHit(_ key: Key) -> Loaded<Value>? {
    let hash = memory.hash(of: key)
    guard let value = memory.value(for: key, hash: hash) else { return nil }
    let entry = memory.entry(for: key, hash: hash)
    let now = core.time.precise
    return Loaded(
      value: value,
      source: .memory,
      storedAt: entry?.storedAt ?? now,
      deadline: entry?.deadline ?? .max
    )
  }

  /// An entry of the memory table of any age, served on request when no fresh one was found.
  func memoryEntry(_ key: Key) -> Loaded<Value>? {
    guard let entry = memory.entry(for: key, hash: memory.hash(of: key)) else { return nil }
    // Another call may have stored it meanwhile.
    let isFresh = core.time.precise < entry.deadline
    (isFresh ? core.counters.lateHits : core.counters.staleServed).add()
    return Loaded(
      value: entry.value,
      source: .memory,
      storedAt: entry.storedAt,
      deadline: entry.deadline,
      stale: isFresh ? nil : .anyAge
    )
  }

  /// What memory answers although it has no plain hit, and why it is loaded again behind the answer;
  /// `nil` if the call has to load.
  ///
  /// - Throws: an error that is remembered.
  func answer(
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms
  ) throws -> (Loaded<Value>, Refresh<Value>?)? {
    guard terms.looksBeforeLoading || core.refreshes.isInUse else { return nil }
    if let error = rememberedError(key, hash) { throw error }
    guard let entry = memory.entry(for: key, hash: hash) else { return nil }
    let now = core.time.precise
    if now < entry.deadline {
      core.counters.lateHits.add()
      let loaded = Loaded(
        value: entry.value,
        source: .memory,
        storedAt: entry.storedAt,
        deadline: entry.deadline
      )
      let aged = aged(entry, terms)
      let loadTime = entry.terms?.loadTime ?? 0
      return (loaded, isDue(aged, loadTime, key, hash, terms, now) ? .ahead(aged) : nil)
    }
    let aged = aged(entry, terms)
    guard let loaded = serveStale(aged, key, hash, terms) else { return nil }
    core.counters.staleServed.add()
    return (loaded, loaded.stale == .revalidating ? .stale(aged) : nil)
  }

  /// What is served of an expired value without asking its producer first.
  func serveStale(
    _ aged: Aged<Value>,
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms
  ) -> Loaded<Value>? {
    let now = core.time.precise
    let revalidates = aged.revalidates(now)
    guard revalidates || aged.helps(now) else { return nil }
    if rests.covers(HashedKey(key: key, hash: hash), now: now) { return aged.loaded(.resting) }
    if isBroken(terms, now) {
      core.counters.heldBackLoads.add()
      core.note?.decides(.breaker)
      return aged.loaded(.resting)
    }
    return revalidates ? aged.loaded(.revalidating) : nil
  }

  /// What a load comes to without its producer, which rests: another load of the key has failed since
  /// the caller looked.
  ///
  /// Asked once the load is registered, as ``lateHit(_:_:)``.
  func resting(
    _ aged: Aged<Value>,
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms
  ) -> Loaded<Value>? {
    guard let loaded = serveStale(aged, key, hash, terms), loaded.stale == .resting else {
      return nil
    }
    core.counters.staleServed.add()
    return loaded
  }

  /// What a load behind an answer comes to without its producer: another one has stored something
  /// newer since, or has failed, so that the producer rests.
  ///
  /// Asked once the load is registered; it serves nobody, so nothing is counted.
  func overtaken(
    _ refresh: Refresh<Value>,
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms
  ) -> Loaded<Value>? {
    guard let aged = refresh.restingValue else { return atHandWhileBackingOff(key, hash, terms) }
    let now = core.time.precise
    if let entry = memory.entry(for: key, hash: hash), now < entry.deadline,
      entry.storedAt > aged.storedAt
    {
      return Loaded(
        value: entry.value,
        source: .memory,
        storedAt: entry.storedAt,
        deadline: entry.deadline,
        terms: entry.terms
      )
    }
    guard isBackingOff(key, hash, terms, now), aged.isUsable(now) else { return nil }
    return aged.loaded(now < aged.deadline ? nil : .resting)
  }

  /// The expired value in memory, if it can be served in any way.
  func agedInMemory(_ key: Key, _ hash: UInt64, _ terms: LoadTerms) -> Aged<Value>? {
    guard terms.windows != .none, let entry = memory.entry(for: key, hash: hash) else { return nil }
    let now = core.time.precise
    let aged = aged(entry, terms)
    return now >= entry.deadline && aged.isUsable(now) ? aged : nil
  }

  func aged(_ entry: MemoryEntry<Value>, _ terms: LoadTerms) -> Aged<Value> {
    var aged = Aged(
      value: entry.value,
      source: .memory,
      storedAt: entry.storedAt,
      deadline: entry.deadline,
      windows: StaleWindows(
        whileRevalidating: entry.terms?.staleWhileRevalidate ?? 0,
        ifError: entry.terms?.staleIfError ?? 0
      ).capped(by: terms.windows)
    )
    aged.terms = entry.terms
    return aged
  }

  /// Whether a fresh value is to be loaded again ahead of its end.
  private func isDue(
    _ fresh: Aged<Value>,
    _ loadTime: Int64,
    _ key: Key,
    _ hash: UInt64,
    _ terms: LoadTerms,
    _ now: Int64
  ) -> Bool {
    let isAskedFor = fresh.terms?.isDue == true
    guard isAskedFor || terms.fields.refreshAhead != nil,
      !isBackingOff(key, hash, terms, now)
    else { return false }
    guard !isAskedFor, let rule = terms.fields.refreshAhead else { return isAskedFor }
    return rule.isDue(
      now: now,
      storedAt: fresh.storedAt,
      deadline: fresh.deadline,
      loadTime: loadTime
    ) { core.time.random() }
  }

  /// A fresh value of a slower store that is to be loaded again ahead of its end.
  func isDue(_ found: Found<Value>, at slot: Slot<Key>, _ terms: LoadTerms) -> Aged<Value>? {
    let isAskedFor = core.refreshes.reach(
      slot.storeKey ?? storeKey(slot.key),
      found.entry,
      wall: core.time.wall
    )
    guard isAskedFor || terms.fields.refreshAhead != nil else { return nil }
    var aged = Aged(
      value: found.loaded.value,
      source: found.loaded.source,
      storedAt: found.loaded.storedAt,
      deadline: found.loaded.deadline,
      windows: found.entry.windows.capped(by: terms.windows)
    )
    aged.terms = self.terms(of: found, at: slot)
    if isAskedFor { aged.terms = EntryTerms.due(aged.terms) }
    let loadTime = found.entry.metadata.loadTime ?? 0
    return isDue(aged, loadTime, slot.key, slot.hash, terms, core.time.precise) ? aged : nil
  }
}
