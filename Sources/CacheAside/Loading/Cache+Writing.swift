extension Cache {
  /// Stores a value in every tier, slowest first, over whatever is there or being loaded.
  ///
  /// Running loads of the key still answer those who wait for them, and are not stored. A tier
  /// that fails is an event and holds no older value afterwards.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the key.
  ///   - expiry: how long it stays fresh; `nil` takes the policy's. Zero or less removes the key.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - cost: its cost in memory; `nil` takes the default.
  ///   - pinned: whether memory keeps it when it needs room: it leaves only by expiring and
  ///     removal.
  /// - Throws: `CacheError` with the code `invalidConfiguration` for an expiry that is not a number,
  ///   `missingScope`, `closed` once ``close(within:)`` has begun, or when it could not wait for this, and
  ///   what a store threw under the fault policy `.fail`.
  public nonisolated(nonsending) func set(
    _ value: Value,
    for key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    cost: Int? = nil,
    pinned: Bool = false
  ) async throws {
    if let scoped = scoped(key) {
      return try await scoped.table.set(
        value,
        for: scoped.key,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags,
        cost: cost,
        pinned: pinned
      )
    }
    let policy = CachePolicy(
      over: nil,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    )
    try await core.performing(core.changeNote("set", tableName, key: storeKey(key))) {
      try await write(Produced(value, cost: cost, isPinned: pinned), key, policy)
    }
  }

  /// Stores a value on the calling thread, which may block on files.
  ///
  /// A store that suspends gets its part in the background; until then nothing older is read
  /// from it.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the key.
  ///   - expiry: how long it stays fresh; `nil` takes the policy's. Zero or less removes the key.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - cost: its cost in memory; `nil` takes the default.
  ///   - pinned: whether memory keeps it when it needs room: it leaves only by expiring and
  ///     removal.
  /// - Throws: as ``set(_:for:expiry:staleWhileRevalidate:staleIfError:tags:cost:pinned:)``.
  public func setBlocking(
    _ value: Value,
    for key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    cost: Int? = nil,
    pinned: Bool = false
  ) throws {
    if let scoped = scoped(key) {
      return try scoped.table.setBlocking(
        value,
        for: scoped.key,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags,
        cost: cost,
        pinned: pinned
      )
    }
    let policy = CachePolicy(
      over: nil,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    )
    try core.performing(core.changeNote("set", tableName, key: storeKey(key))) {
      try writeBlocking(Produced(value, cost: cost, isPinned: pinned), key, policy)
    }
  }

  private nonisolated(nonsending) func write(
    _ produced: Produced<Value>,
    _ key: Key,
    _ policy: CachePolicy
  ) async throws {
    let terms = try writeTerms(policy)
    guard try isStorable(terms) else { return try await removeNow(key) }
    let slot = writerSlot(key)
    defer { flights.unregister(slot.registration, key: key, hash: slot.hash) }
    let stored = try await store(produced, terms: terms, at: slot)
    if isOvertaken(stored, slot) { await removeOvertaken(slot) }
  }

  /// Stores an object as AwesomeCache does: where what has expired is kept, also one that has expired
  /// already.
  func setObjectBlocking(_ value: Value, for key: Key, expiry: Expiry) throws {
    if let scoped = scoped(key) {
      return try scoped.table.setObjectBlocking(value, for: scoped.key, expiry: expiry)
    }
    let policy = CachePolicy(over: nil, expiry: expiry)
    try core.performing(core.changeNote("set", tableName, key: storeKey(key))) {
      try writeBlocking(Produced(value), key, policy, keepsExpired: true)
    }
  }

  private func writeBlocking(
    _ produced: Produced<Value>,
    _ key: Key,
    _ policy: CachePolicy,
    keepsExpired: Bool = false
  ) throws {
    let terms = try writeTerms(policy)
    let isKept = keepsExpired && (terms.fields.keepExpired ?? .zero) > .zero
    guard try isKept || isStorable(terms) else { return try removeNowBlocking(key) }
    let slot = writerSlot(key)
    defer { flights.unregister(slot.registration, key: key, hash: slot.hash) }
    let stored = try storeBlocking(
      produced,
      terms: terms,
      keepsExpired: keepsExpired,
      at: slot
    )
    if isOvertaken(stored, slot) { removeOvertakenBlocking(slot) }
  }

  /// The terms of a write; refuses one without the scope that the feature requires.
  func writeTerms(_ policy: CachePolicy) throws -> LoadTerms {
    let terms = try core.terms(of: policy)
    try core.checkScope(terms)
    return terms
  }

  func isStorable(_ terms: LoadTerms) throws -> Bool {
    try Lifetime(terms.fields.expiry ?? .never, wall: core.time.wall).isPositive
  }

  private func writerSlot(_ key: Key) -> Slot<Key> {
    let hash = memory.hash(of: key)
    core.beginToFollowLedgers()
    return Slot(
      key: key,
      hash: hash,
      storeKey: core.hasTiers ? storeKey(key) : nil,
      registration: flights.registerWriter(key, hash: hash),
      begun: core.stamps.now,
      marks: []
    )
  }
}
