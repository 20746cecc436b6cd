extension Cache {
  /// The fresh value in memory, or `nil`: no load, no statistics, no recency.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value.
  /// - Complexity: O(1); allocates nothing.
  @inlinable
  public func peek(_ key: Key) -> Value? {
    if ambient.concernsHits, Ambient.concernsHits() { return peekScoped(key) }
    if let value = memory.peek(key) { return value }
    return mayMissKeys ? peekScoped(key) : nil
  }

  @usableFromInline @inline(never)
  func peekScoped(_ key: Key) -> Value? {
    if let scoped = scoped(key) { return scoped.table.memory.peek(scoped.key) }
    return memory.peek(key)
  }

  /// The fresh value from memory or a slower store; never loads.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value, or `nil`.
  /// - Throws: `CancellationError`; `CacheError` with the code `missingScope`, with `closed` for what is
  ///   not in memory once ``close(within:)`` has begun, and what a store threw under the fault policy
  ///   `.fail`.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func value(for key: Key) async throws -> Value? {
    if let value = probe(key) { return value }
    return try await valueFromTiers(key)
  }

  @usableFromInline @inline(never)
  nonisolated(nonsending) func valueFromTiers(_ key: Key) async throws -> Value? {
    if let scoped = scoped(key) { return try await scoped.table.valueFromTiers(scoped.key) }
    try core.checkOpen(strategy.derive(key))
    try core.checkScope(core.terms)
    if let note = newNote(key) { return try await tracedRead(key, note)?.value }
    return try await readTiers(key, anyAge: false)?.value
  }

  /// What is fresh in memory although the first probe found nothing: another flight or form put it
  /// there since, or it is to be refreshed ahead of its end.
  ///
  /// Asked once a load is registered: the flight before may have stored in between.
  func lateHit(_ key: Key, _ hash: UInt64) -> Loaded<Value>? {
    let entry = memory.entry(for: key, hash: hash)
    if let entry, entry.deadline > core.time.precise {
      core.counters.lateHits.add()
      return Loaded(
        value: entry.value,
        source: .memory,
        storedAt: entry.storedAt,
        deadline: entry.deadline,
        terms: entry.terms
      )
    }
    guard let form = siblingHit(key) else { return nil }
    core.counters.lateHits.add()
    return form
  }

  /// The place of a reader that may put what it finds into the faster tiers.
  func readerSlot(_ key: Key, _ hash: UInt64, _ storeKey: CacheKey) -> Slot<Key> {
    Slot(
      key: key,
      hash: hash,
      storeKey: storeKey,
      registration: flights.register(key, hash: hash),
      begun: core.stamps.now,
      marks: core.loadMarks
    )
  }

  /// Whether a fresh value is in memory or in a slower store; never loads.
  ///
  /// - Parameter key: the key.
  /// - Returns: whether `value(for:)` would find one.
  /// - Throws: as `value(for:)`.
  public nonisolated(nonsending) func contains(_ key: Key) async throws -> Bool {
    if let entry = try await entry(for: key) { return entry.isFresh }
    return false
  }

  /// The stored value of any age, with its times; never loads, and counts no lookup.
  ///
  /// - Parameter key: the key.
  /// - Returns: the nearest fresh entry, else the nearest expired one; `nil` when no tier has any.
  /// - Throws: as `value(for:)`.
  public nonisolated(nonsending) func entry(for key: Key) async throws -> CachedEntry<Value>? {
    if let scoped = scoped(key) { return try await scoped.table.entry(for: scoped.key) }
    try core.checkOpen(strategy.derive(key))
    try core.checkScope(core.terms)
    var nearest = entryInMemory(key)
    if let nearest, nearest.isFresh { return nearest }
    if let form = siblingHit(key) { return shown(form) }
    guard core.usesTiers else { return nearest }
    let storeKey = storeKey(key)
    for tier in core.tiers {
      guard let entry = try await tier.read(storeKey) else { continue }
      guard case .usable(let loaded) = judge(entry, storeKey, tier, anyAge: true) else { continue }
      if loaded.isFresh { return shown(loaded) }
      nearest = nearest ?? shown(loaded)
    }
    return nearest
  }

  /// The memory table's entry of any age.
  func entryInMemory(_ key: Key) -> CachedEntry<Value>? {
    guard let entry = memory.entry(for: key, hash: memory.hash(of: key)) else { return nil }
    return shown(
      Loaded(
        value: entry.value,
        source: .memory,
        storedAt: entry.storedAt,
        deadline: entry.deadline,
        stale: core.time.precise < entry.deadline ? nil : .anyAge
      )
    )
  }

  func shown(_ loaded: Loaded<Value>) -> CachedEntry<Value> {
    let now = core.time.precise
    let source: CacheSource =
      if case .store(let name) = loaded.source { .store(name) } else { .memory }
    return CachedEntry(
      value: loaded.value,
      source: source,
      isFresh: loaded.isFresh,
      age: Loaded<Value>.age(loaded.storedAt, now),
      remainingLife: loaded.isFresh ? Loaded<Value>.remaining(loaded.deadline, now) : .zero
    )
  }
}
