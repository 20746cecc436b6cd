/// A value found in a slower tier.
struct Found<Value: Sendable>: Sendable {
  let loaded: Loaded<Value>
  let entry: CacheEntry
  /// The tier's place in the chain.
  let index: Int
}

extension Cache {
  /// Looks through the slower tiers, nearest first.
  ///
  /// - Throws: only under the fault policy `.fail`, and for cancellation.
  func find(_ storeKey: CacheKey, anyAge: Bool) async throws -> Found<Value>? {
    for (index, tier) in core.tiers.enumerated() {
      guard let entry = try await tier.read(storeKey) else {
        tier.counters.misses.add()
        continue
      }
      switch judge(entry, tier, anyAge: anyAge) {
      case .usable(let loaded):
        tier.counters.hits.add()
        return Found(loaded: loaded, entry: entry, index: index)
      case .unusable: tier.counters.misses.add()
      case .undecodable:
        tier.counters.misses.add()
        await tier.discard(entry, storeKey)
      }
    }
    return nil
  }

  /// The same, counted as a lookup of the feature, also when a tier fails the call; a load that
  /// follows counts the miss itself.
  func findCounting(
    _ storeKey: CacheKey,
    anyAge: Bool,
    thenLoads: Bool = false
  ) async throws -> Found<Value>? {
    do {
      let found = try await find(storeKey, anyAge: anyAge)
      if found != nil || !thenLoads { countLookup(found) }
      return found
    } catch {
      countLookup(nil)
      throw error
    }
  }

  /// Counts what a lookup in the slower tiers came to.
  func countLookup(_ found: Found<Value>?) {
    guard let found else { return core.counters.misses.add() }
    (found.loaded.isFresh ? core.counters.storeHits : core.counters.staleServed).add()
  }

  /// The same over blocking tiers, on the calling thread; uncounted.
  func findBlocking(_ storeKey: CacheKey, anyAge: Bool) throws -> Found<Value>? {
    for (index, tier) in core.tiers.enumerated() where tier.blocking != nil {
      guard let entry = try tier.readBlocking(storeKey) else {
        tier.counters.misses.add()
        continue
      }
      switch judge(entry, tier, anyAge: anyAge) {
      case .usable(let loaded):
        tier.counters.hits.add()
        return Found(loaded: loaded, entry: entry, index: index)
      case .unusable: tier.counters.misses.add()
      case .undecodable:
        tier.counters.misses.add()
        tier.discardBlocking(entry, storeKey)
      }
    }
    return nil
  }

  enum Judgement {
    case usable(Loaded<Value>)
    /// Expired, or of another type: stays where it is.
    case unusable
    /// Not what the codec wrote: to be removed.
    case undecodable
  }

  /// Whether a record may be used, and its value.
  func judge(_ entry: CacheEntry, _ tier: Tier, anyAge: Bool) -> Judgement {
    let now = core.now
    let freshness = Freshness(
      created: entry.created,
      freshUntil: entry.freshUntil,
      keptUntil: entry.keptUntil,
      isExpiredByHand: entry.isExpiredByHand,
      wall: now.wall
    )
    guard freshness == .fresh || (anyAge && freshness == .expired) else { return .unusable }
    guard entry.type == type, let codec else { return .unusable }
    do {
      guard entry.codec == codec.identifier else {
        throw CacheError(.unsupportedType, "the record was written by another codec")
      }
      let value = try codec.decodePayload(entry.payload)
      let age = max(0, now.wall - entry.created)
      let lifetime = Lifetime(freshUntil: entry.freshUntil, wall: now.wall)
      let isFresh = freshness == .fresh
      return .usable(
        Loaded(
          value: value,
          source: .store(tier.name),
          storedAt: now.monotonic - (age > .max / 1_000 ? .max / 2 : age * 1_000),
          deadline: isFresh ? lifetime.deadline(from: now.monotonic) : now.monotonic,
          isFresh: isFresh
        )
      )
    } catch {
      tier.counters.decodeFailures.add()
      tier.report(.decodeFailed, nil, error)
      return .undecodable
    }
  }

  /// Puts what was found into the faster tiers and into memory, with its remaining life.
  func promote(
    _ found: Found<Value>,
    _ storeKey: CacheKey,
    _ key: Key,
    _ hash: UInt64,
    _ registration: Registration
  ) async {
    guard found.loaded.isFresh else { return }
    for tier in core.tiers[..<found.index].reversed() {
      // A promotion is nobody's write: its failure is an event, under every fault policy.
      do {
        try await tier.write(
          found.entry,
          storeKey,
          unless: isClosed(registration, storeKey, .promotion)
        )
      } catch { continue }
    }
    admit(found, at: Slot(key: key, hash: hash, storeKey: storeKey, registration: registration))
  }

  /// The same on the calling thread.
  func promoteBlocking(
    _ found: Found<Value>,
    _ storeKey: CacheKey,
    _ key: Key,
    _ hash: UInt64,
    _ registration: Registration
  ) {
    guard found.loaded.isFresh else { return }
    for tier in core.tiers[..<found.index].reversed() {
      do {
        try tier.writeBlocking(
          found.entry,
          storeKey,
          unless: isClosed(registration, storeKey, .promotion)
        )
      } catch { continue }
    }
    admit(found, at: Slot(key: key, hash: hash, storeKey: storeKey, registration: registration))
  }

  private func admit(_ found: Found<Value>, at slot: Slot<Key>) {
    let value = found.loaded.value
    let kept = Lifetime(freshUntil: found.entry.keptUntil, wall: found.entry.freshUntil)
    insert(
      value,
      storedAt: found.loaded.storedAt,
      deadline: found.loaded.deadline,
      kept: kept.remaining,
      cost: costOf?(value) ?? DefaultCost.of(value, encoded: found.entry.payload),
      by: .promotion,
      at: slot
    )
  }
}
