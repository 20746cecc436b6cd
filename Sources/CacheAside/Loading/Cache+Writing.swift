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
  ///   - cost: its cost in memory; `nil` takes the default.
  /// - Throws: `CacheError` for an expiry that is not a number, and under the fault policy `.fail`.
  public nonisolated(nonsending) func set(
    _ value: Value,
    for key: Key,
    expiry: Expiry? = nil,
    cost: Int? = nil
  ) async throws {
    if let scoped = scoped(key) {
      return try await scoped.table.set(value, for: scoped.key, expiry: expiry, cost: cost)
    }
    guard !core.isClosed else { return }
    let terms = try writeTerms(expiry)
    guard try isStorable(terms) else { return try await remove(key) }
    let slot = writerSlot(key)
    defer { flights.unregister(slot.registration, key: key, hash: slot.hash) }
    let stored = try await store(Produced(value, cost: cost), terms: terms, at: slot)
    if isOvertaken(stored, slot) { try await remove(key) }
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
  ///   - cost: its cost in memory; `nil` takes the default.
  /// - Throws: as `set(_:for:expiry:cost:)`.
  public func setBlocking(
    _ value: Value,
    for key: Key,
    expiry: Expiry? = nil,
    cost: Int? = nil
  ) throws {
    if let scoped = scoped(key) {
      return try scoped.table.setBlocking(value, for: scoped.key, expiry: expiry, cost: cost)
    }
    guard !core.isClosed else { return }
    let terms = try writeTerms(expiry)
    guard try isStorable(terms) else { return try removeBlocking(key) }
    let slot = writerSlot(key)
    defer { flights.unregister(slot.registration, key: key, hash: slot.hash) }
    let stored = try storeBlocking(Produced(value, cost: cost), terms: terms, at: slot)
    if isOvertaken(stored, slot) { try removeBlocking(key) }
  }

  private func writeTerms(_ expiry: Expiry?) throws -> LoadTerms {
    let terms = expiry == nil ? core.terms : try core.terms(of: CachePolicy(expiry: expiry))
    try core.checkScope(terms)
    return terms
  }

  private func isStorable(_ terms: LoadTerms) throws -> Bool {
    try Lifetime(terms.fields.expiry ?? .never, wall: core.time.wall).isPositive
  }

  private func writerSlot(_ key: Key) -> Slot<Key> {
    let hash = memory.hash(of: key)
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
