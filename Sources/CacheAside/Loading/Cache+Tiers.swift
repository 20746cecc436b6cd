/// A value found in a slower tier.
struct Found<Value: Sendable>: Sendable {
  let loaded: Loaded<Value>
  let entry: CacheEntry
  /// The tier's place in the chain.
  let index: Int

  /// The value with what its entry carries.
  func loaded(carrying terms: EntryTerms?) -> Loaded<Value> {
    loaded.carrying(terms)
  }
}

/// What a load found in the slower tiers.
enum Look<Value: Sendable>: Sendable {
  case nothing
  case fresh(Found<Value>)
  /// Nothing fresh, but something that the policy lets serve stale; the nearest of it.
  case aged(Found<Value>, Aged<Value>)
}

extension Cache {
  /// Looks through the slower tiers for a load, nearest first.
  ///
  /// - Parameters:
  ///   - storeKey: the key as stores see it.
  ///   - terms: what may be served stale.
  ///   - isCounted: whether a hit counts as a lookup of the feature.
  /// - Returns: what was found.
  /// - Throws: only under the fault policy `.fail`, and for cancellation.
  func look(_ storeKey: CacheKey, _ terms: LoadTerms, isCounted: Bool) async throws -> Look<Value> {
    var aged: Look<Value> = .nothing
    let found: Found<Value>?
    do {
      found = try await find(storeKey, anyAge: false) { entry, tier, index in
        noteAged(entry, storeKey, tier, index, terms, in: &aged)
      }
    } catch {
      if isCounted { countLookup(nil) }
      throw error
    }
    guard let found else { return aged }
    if isCounted { countLookup(found) }
    return .fresh(found)
  }

  /// Looks through the slower tiers, nearest first.
  ///
  /// - Parameters:
  ///   - storeKey: the key as stores see it.
  ///   - anyAge: whether what has expired is found too.
  ///   - onUnusable: told about records that have expired.
  /// - Returns: the nearest record that may be used.
  /// - Throws: only under the fault policy `.fail`, and for cancellation.
  func find(
    _ storeKey: CacheKey,
    anyAge: Bool,
    onUnusable: (CacheEntry, Tier, Int) -> Void = { _, _, _ in }
  ) async throws -> Found<Value>? {
    let note = core.note
    for (index, tier) in core.tiers.enumerated() {
      note?.asks(tier.name)
      let entry = try await tier.read(storeKey, note)
      note?.answers(entry, self)
      switch examine(entry, storeKey, tier, index, anyAge: anyAge) {
      case .take(let found): return found
      case .discard(let entry, let error):
        await tier.discard(entry, storeKey)
        try tier.refuseUndecodable(storeKey, error)
      case .next: if let entry { onUnusable(entry, tier, index) }
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
  func findBlocking(
    _ storeKey: CacheKey,
    anyAge: Bool,
    onUnusable: (CacheEntry, Tier, Int) -> Void = { _, _, _ in }
  ) throws -> Found<Value>? {
    let note = core.note
    for (index, tier) in core.tiers.enumerated() where tier.blocking != nil {
      note?.asks(tier.name)
      let entry = try tier.readBlocking(storeKey, note)
      note?.answers(entry, self)
      switch examine(entry, storeKey, tier, index, anyAge: anyAge) {
      case .take(let found): return found
      case .discard(let entry, let error):
        tier.discardBlocking(entry, storeKey)
        try tier.refuseUndecodable(storeKey, error)
      case .next: if let entry { onUnusable(entry, tier, index) }
      }
    }
    return nil
  }

  /// What becomes of a record in a walk through the tiers.
  enum Verdict {
    case take(Found<Value>)
    /// It is not what the codec wrote: it is to be removed, and the next tier is asked.
    case discard(CacheEntry, any Error)
    case next
  }

  /// Examines what a tier has answered, and counts it.
  ///
  /// - Parameters:
  ///   - entry: the record; `nil` when there is none.
  ///   - storeKey: its key.
  ///   - tier: the tier.
  ///   - index: its place in the chain.
  ///   - anyAge: whether what has expired may be used too.
  /// - Returns: whether it is taken.
  func examine(
    _ entry: CacheEntry?,
    _ storeKey: CacheKey,
    _ tier: Tier,
    _ index: Int,
    anyAge: Bool
  ) -> Verdict {
    guard let entry else {
      tier.counters.misses.add()
      return .next
    }
    switch judge(entry, storeKey, tier, anyAge: anyAge) {
    case .usable(let loaded):
      tier.counters.hits.add()
      return .take(Found(loaded: loaded, entry: entry, index: index))
    case .unusable:
      tier.counters.misses.add()
      return .next
    case .otherSchema:
      tier.counters.misses.add()
      tier.counters.schemaChanges.add()
      tier.report(.schemaChanged, storeKey, nil)
      return .next
    case .undecodable(let error):
      tier.counters.misses.add()
      return .discard(entry, error)
    }
  }

  /// Keeps the nearest record that is not fresh and that the policy lets serve stale.
  func noteAged(
    _ entry: CacheEntry,
    _ storeKey: CacheKey,
    _ tier: Tier,
    _ index: Int,
    _ terms: LoadTerms,
    in look: inout Look<Value>
  ) {
    guard case .nothing = look, let aged = candidate(entry, storeKey, tier, terms) else { return }
    look = .aged(Found(loaded: aged.loaded(.loadFailed), entry: entry, index: index), aged)
  }

  enum Judgement {
    case usable(Loaded<Value>)
    /// Expired, or of another type: stays where it is.
    case unusable
    /// Written when the type had another structure: stays until it is replaced or expires.
    case otherSchema
    /// Not what the codec wrote: to be removed.
    case undecodable(any Error)
  }

  /// Whether a record may be used, and its value.
  func judge(
    _ entry: CacheEntry,
    _ storeKey: CacheKey,
    _ tier: Tier,
    anyAge: Bool
  ) -> Judgement {
    let now = core.now
    let freshness = Freshness(
      created: entry.created,
      freshUntil: entry.freshUntil,
      keptUntil: entry.keptUntil,
      isExpiredByHand: entry.isExpiredByHand,
      wall: now.wall
    )
    guard freshness == .fresh || (anyAge && freshness == .expired) else { return .unusable }
    guard isOwnForm(entry), let codec else { return .unusable }
    do {
      guard entry.codec == codec.identifier else {
        throw CacheError(.unsupportedType, "the record was written by another codec")
      }
      guard entry.schema == schema else { return .otherSchema }
      let value = try codec.decodePayload(entry.payload)
      let lifetime = Lifetime(freshUntil: entry.freshUntil, wall: now.wall)
      let isFresh = freshness == .fresh
      return .usable(
        Loaded(
          value: value,
          source: .store(tier.name),
          storedAt: min(now.monotonic, now.monotonic(of: entry.created)),
          deadline: isFresh ? lifetime.deadline(from: now.monotonic) : now.monotonic,
          stale: isFresh ? nil : .anyAge
        )
      )
    } catch is UncodableType {
      // The record may be sound: where it was written the type had a coding.
      core.adviseOnCoding(of: Value.self)
      return .unusable
    } catch {
      tier.counters.decodeFailures.add()
      tier.report(.decodeFailed, storeKey, error)
      return .undecodable(error)
    }
  }

  /// Whether a record is of this value type, and no nil of another form of it, which stays (K4).
  func isOwnForm(_ entry: CacheEntry) -> Bool {
    entry.type == type && (entry.payload != nil || Value.self is any AnyOptional.Type)
  }

  /// An expired record that the policy lets serve stale.
  func candidate(
    _ entry: CacheEntry,
    _ storeKey: CacheKey,
    _ tier: Tier,
    _ terms: LoadTerms
  ) -> Aged<Value>? {
    guard terms.windows != .none, entry.freshUntil != .max,
      case .usable(let loaded) = judge(entry, storeKey, tier, anyAge: true), !loaded.isFresh
    else { return nil }
    let now = core.now
    let aged = Aged(value: loaded.value, of: entry, in: tier.name, terms, now)
    return aged.isUsable(now.monotonic) ? aged : nil
  }
}
