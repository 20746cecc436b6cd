extension Cache {
  /// The fresh value of a key; setting stores it with the policy's expiry, setting `nil` removes.
  ///
  /// Synchronous: memory first, then blocking stores on the calling thread. Counts and records
  /// recency like any hit. Failures of stores, also of a removal, are events.
  ///
  /// - Parameter key: the key.
  @inlinable
  public subscript(key: Key) -> Value? {
    @inline(__always) get {
      if let value = probe(key) { return value }
      return valueBlocking(key)
    }
    set {
      if let newValue, setAtOnce(newValue, for: key) { return }
      setQuietly(newValue, for: key)
    }
  }

  /// Reads the blocking tiers on the calling thread.
  @usableFromInline @inline(never)
  func valueBlocking(_ key: Key) -> Value? {
    readBlocking(key, anyAge: false)?.value
  }

  /// Reads the blocking tiers on the calling thread, after memory had nothing fresh; promotes and
  /// counts, but not a miss that a load follows.
  ///
  /// For any age, the nearest expired value is taken when nothing fresh is found.
  func readBlocking(_ key: Key, anyAge: Bool, thenLoads: Bool = false) -> Loaded<Value>? {
    if let scoped = scoped(key) {
      return scoped.table.readBlocking(scoped.key, anyAge: anyAge, thenLoads: thenLoads)
    }
    // It cannot throw; nothing is shown that could be somebody else's.
    guard core.hasRequiredScope else { return nil }
    if let note = newNote(key) { return tracedReadBlocking(key, note, anyAge: anyAge) }
    let hash = memory.hash(of: key)
    if let hit = lateHit(key, hash) { return hit }
    guard core.usesTiers else {
      if !thenLoads, core.reportIfClosed(.readFailed, strategy.derive(key)) { return nil }
      if anyAge, let expired = memoryEntry(key) { return expired }
      if !thenLoads { countLookup(nil) }
      return nil
    }
    let storeKey = storeKey(key)
    let slot = readerSlot(key, hash, storeKey)
    defer { flights.unregister(slot.registration, key: key, hash: hash) }
    // A tier with the fault policy `.fail` cannot throw here: its failure is an event and a miss.
    let found = try? findBlocking(storeKey, anyAge: anyAge)
    if anyAge, found?.loaded.isFresh != true, let expired = memoryEntry(key) { return expired }
    if found != nil || !thenLoads { countLookup(found) }
    guard let found else { return nil }
    promoteBlocking(found, storeKey, slot)
    return found.loaded
  }

  /// Looks through memory's siblings and the blocking tiers for a load by callback; a hit is counted,
  /// and what is found goes into the faster tiers.
  func lookBlocking(_ key: Key, _ hash: UInt64) -> (fresh: Loaded<Value>?, aged: Aged<Value>?) {
    if let form = siblingHit(key) {
      core.counters.lateHits.add()
      return (form, nil)
    }
    guard core.usesTiers else { return (nil, nil) }
    let storeKey = storeKey(key)
    let slot = readerSlot(key, hash, storeKey)
    defer { flights.unregister(slot.registration, key: key, hash: hash) }
    var aged: (found: Found<Value>, value: Aged<Value>)?
    // A tier with the fault policy `.fail` cannot throw here: its failure is an event and a miss.
    let found = try? findBlocking(storeKey, anyAge: false) { entry, tier, index in
      guard aged == nil, var candidate = candidate(entry, storeKey, tier, core.terms) else {
        return
      }
      let found = Found(loaded: candidate.loaded(.loadFailed), entry: entry, index: index)
      candidate.terms = terms(of: found, at: slot)
      aged = (found, candidate)
    }
    if let found { countLookup(found) }
    if let used = found ?? aged?.found { promoteBlocking(used, storeKey, slot) }
    return (found?.loaded, aged?.value)
  }

  @usableFromInline @inline(never)
  func setQuietly(_ value: Value?, for key: Key, expiry: Expiry? = nil) {
    do {
      if let value {
        if let expiry {
          try setObjectBlocking(value, for: key, expiry: expiry)
        } else {
          try setBlocking(value, for: key)
        }
      } else {
        try removeBlocking(key)
      }
    } catch let error as CacheError where error.code == .removalFailed {
      // Reported by the tier that failed.
    } catch {
      let kind: CacheEvent.Kind = value == nil ? .removalFailed : .writeFailed
      core.report(kind, key: strategy.derive(key), error: error)
    }
  }

  /// Removes a key from every tier on the calling thread, which may block on files.
  ///
  /// Running loads of the key still answer those who wait for them, and are not stored.
  ///
  /// - Parameter key: the key.
  /// - Throws: `CacheError` with the code `removalFailed` when a tier may still hold the entry; it
  ///   is not served from there any more. With the codes `missingScope` and `closed` as `remove(_:)`.
  public func removeBlocking(_ key: Key) throws {
    if let scoped = scoped(key) { return try scoped.table.removeBlocking(scoped.key) }
    try core.performing(core.changeNote("remove", tableName, key: storeKey(key))) {
      try removeNowBlocking(key)
    }
  }

  /// The same as a part of another verb.
  func removeNowBlocking(_ key: Key) throws {
    try core.checkScope(core.terms)
    let storeKey = storeKey(key)
    try core.changeBlocking(storeKey) {
      core.invalidateInMemory(storeKey, from: self, key)
    } inTiers: {
      var failure: (any Error)?
      for tier in core.tiers {
        do { try tier.removeBlocking(storeKey) } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
  }

  /// Removes everything of the feature from every tier on the calling thread.
  ///
  /// - Throws: as `removeBlocking(_:)`.
  public func removeAllBlocking() throws { try core.removeAllBlocking() }

  /// Removes the feature's expired entries from memory and blocking stores on the calling thread,
  /// also those that `keepExpired` would keep.
  ///
  /// - Returns: how many were removed.
  @discardableResult
  public func removeExpiredBlocking() -> Int {
    if core.reportIfClosed(.removalFailed) { return 0 }
    var count = core.removeExpiredFromMemory()
    for tier in core.tiers {
      do { count += try tier.removeExpiredBlocking() } catch {
        tier.report(.removalFailed, nil, error)
      }
    }
    return count
  }
}
