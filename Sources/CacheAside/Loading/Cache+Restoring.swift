// One entry of a saved memory table on its way back into memory: as a promotion, which gives way to
// everything that is stored or removed meanwhile.

/// What became of an entry of a saved memory table.
enum RestoredEntry: Sendable { case stored, expired, superseded, foreign, damaged }

extension RestoredMemory {
  mutating func count(_ entry: RestoredEntry) {
    switch entry {
    case .stored: entries += 1
    case .expired: expired += 1
    case .superseded: superseded += 1
    case .foreign: foreign += 1
    case .damaged: damaged += 1
    }
  }
}

extension Cache {
  /// Puts an entry back.
  ///
  /// - Parameters:
  ///   - bytes: the key as stores see it.
  ///   - entry: its record.
  ///   - codec: the values' codec.
  ///   - keys: the keys' codec; `nil` when they are `CacheKey`s.
  ///   - begun: where the feature's invalidations stood before the file was opened.
  /// - Returns: what became of it.
  func restore(
    _ bytes: [UInt8],
    _ entry: CacheEntry,
    _ codec: Codec<Value>,
    _ keys: Codec<Key>?,
    _ begun: UInt64
  ) -> RestoredEntry {
    guard let storeKey = CacheKey(bytes: bytes) else { return .damaged }
    guard core.namespace.covers(storeKey.namespace), entry.type == type,
      entry.codec == codec.identifier, entry.schema == schema
    else { return .foreign }
    guard let encoded = entry.metadata[.tableKey] else {
      // A key under a scope, or a table whose keys are these.
      let table = tableByCacheKey
      let key = storeKey.namespace == core.namespace ? storeKey.moved(to: nil) : storeKey
      return table.restore(entry, key, storeKey, codec, begun)
    }
    guard let keys else { return .foreign }
    do {
      let key = try keys.decodePayload(encoded)
      guard self.storeKey(key) == storeKey else { return .foreign }
      return restore(entry, key, storeKey, codec, begun)
    } catch {
      return .foreign
    }
  }

  private func restore(
    _ entry: CacheEntry,
    _ key: Key,
    _ storeKey: CacheKey,
    _ codec: Codec<Value>,
    _ begun: UInt64
  ) -> RestoredEntry {
    let hash = memory.hash(of: key)
    let registration = flights.register(key, hash: hash)
    defer { flights.unregister(registration, key: key, hash: hash) }
    let slot = Slot(
      key: key,
      hash: hash,
      storeKey: core.hasTiers ? storeKey : nil,
      registration: registration,
      begun: begun,
      marks: core.loadMarks
    )
    let now = core.now
    // A record from the future was written by a wrong clock.
    guard entry.keptUntil > now.wall,
      !Lifetime.isFromTheFuture(created: entry.created, wall: now.wall)
    else { return .expired }
    let created = min(entry.created, now.wall)
    let storedAt = now.monotonic(of: created)
    if let present = memory.entry(for: key, hash: hash), present.storedAt >= storedAt {
      return .superseded
    }
    let value: Value
    do { value = try codec.decodePayload(entry.payload) } catch { return .damaged }
    let idle = entry.metadata.idleInterval ?? 0
    let freshUntil = entry.metadata.number(.idleDeadline) ?? entry.freshUntil
    let deadline = now.monotonic(of: freshUntil)
    let cost =
      entry.metadata.number(.cost).map { max(0, Int(clamping: $0)) } ?? costOf?(value)
      ?? DefaultCost.of(value, encoded: entry.payload)
    insert(
      value,
      storedAt: storedAt,
      deadline: deadline,
      kept: Lifetime(freshUntil: entry.keptUntil, wall: freshUntil).remaining,
      cost: cost,
      terms: restoredTerms(entry, idle, slot),
      refreshAhead: core.terms.fields.refreshAhead,
      by: .promotion,
      at: slot
    )
    // Whether it stayed: something newer, or a limit, may have been in its way.
    guard let present = memory.entry(for: key, hash: hash) else { return .superseded }
    let isOurs = Lifetime.distance(present.storedAt, storedAt) < Self.tick
    return isOurs ? .stored : .superseded
  }

  /// What the coarse clock of a memory table may be off by, with room to spare, in nanoseconds.
  static var tick: UInt64 { 10_000_000 }

  private func restoredTerms(_ entry: CacheEntry, _ idle: Int64, _ slot: Slot<Key>) -> EntryTerms? {
    let windows = entry.windows
    let namespace = scopeNamespace(of: slot.key)
    let tags = entry.metadata.tags
    return shared(
      EntryTerms(
        staleWhileRevalidate: windows.whileRevalidating,
        staleIfError: windows.ifError,
        idle: idle,
        idleMaximum: idle == 0
          ? 0 : Lifetime(freshUntil: entry.freshUntil, wall: entry.created).remaining,
        loadTime: entry.metadata.loadTime ?? 0,
        validator: entry.metadata.validator,
        tags: tags,
        namespace: namespace,
        begun: tags.isEmpty && namespace == nil ? 0 : slot.begun,
        isExpiredByHand: entry.isExpiredByHand
      )
    )
  }
}
