// What is known about a key. Reads memory and stores beside the counters and recency, and asks the
// stores themselves, so that nothing is retried, promoted or discarded.

import Synchronization

extension Cache {
  /// Says what every tier has under a key, and what the next read would do.
  ///
  /// Loads nothing, counts nothing and changes no tier; only a store that finds a damaged record may
  /// set it aside, as with every read.
  ///
  /// - Parameters:
  ///   - key: the key; under a bound scope, that of the scope.
  ///   - policy: what the next read would say itself; unset fields are the feature's.
  /// - Returns: a snapshot.
  public nonisolated(nonsending) func explain(
    _ key: Key,
    policy: CachePolicy? = nil
  ) async -> CacheExplanation {
    if let scoped = scoped(key) { return await scoped.table.explain(scoped.key, policy: policy) }
    let terms: LoadTerms
    do { terms = try core.terms(of: policy ?? CachePolicy()) } catch {
      // The read would throw the same.
      var explanation = CacheExplanation(feature: core.name, table: tableName, key: storeKey(key))
      explanation.nextRead = "The next read throws \(error)"
      return explanation
    }
    return await explain(key, terms)
  }

  private nonisolated(nonsending) func explain(
    _ key: Key,
    _ terms: LoadTerms
  ) async -> CacheExplanation {
    let storeKey = storeKey(key)
    var explanation = CacheExplanation(feature: core.name, table: tableName, key: storeKey)
    var slower: [TierLook<Value>] = []
    for tier in core.isClosed ? [] : core.tiers {
      let look = await look(storeKey, tier, terms)
      slower.append(look)
      explanation.tiers.append(look.shown)
    }
    // Memory and what changes fast come last, so that they fit together.
    let hashed = HashedKey(key: key, hash: memory.hash(of: key))
    let now = core.time.precise
    let near = lookInMemory(hashed, terms, now)
    if core.memoryPlan.storesAnything { explanation.tiers.insert(near.shown, at: 0) }
    let flight = flights.stripe(hashed.hash).flight(hashed)
    if let flight {
      explanation.isLoading = true
      explanation.waiters = flight.state.withLock { $0.machine.waiterCount }
    }
    if let end = rests.end(of: hashed), now < end {
      explanation.rests = .nanoseconds(end - now)
    }
    if let breaker = breaker(terms)?.current, breaker.holdsBack(now) {
      explanation.openBreaker = .nanoseconds(breaker.nextProbe - now)
    }
    if let error = errors.load()?.entry(for: hashed), now < error.deadline {
      explanation.rememberedError = "\(error.value.error)"
    }
    let servesAtOnce = flight?.fallback(.revalidating) != nil
    decide(&explanation, near, slower, hashed, terms, servesAtOnce: servesAtOnce, now)
    return explanation
  }

  func explanation(of key: CacheKey) async -> CacheExplanation? {
    var own: Key?
    forEachKey(printedAs: key) { own = own ?? $0 }
    guard let own else { return nil }
    return await explain(own)
  }

  private func lookInMemory(
    _ key: HashedKey<Key>,
    _ terms: LoadTerms,
    _ now: Int64
  ) -> TierLook<Value> {
    let (finding, entry) = memory.finding(key.key, hash: key.hash, now: now)
    var shown = CacheExplanation.Tier("memory", finding)
    guard let entry else { return TierLook(shown: shown) }
    let aged = aged(entry, terms)
    let isFresh = finding == .fresh
    shown.age = Loaded<Value>.age(entry.storedAt, now)
    shown.remainingLife = isFresh ? Loaded<Value>.remaining(entry.deadline, now) : .zero
    shown.kept = Loaded<Value>.remaining(entry.keptUntil, now)
    shown.isExpiredByHand = entry.terms?.isExpiredByHand ?? false
    shown.tags = entry.terms?.tags ?? []
    shown.validator = entry.terms?.validator
    shown.cost = entry.cost
    let isUsable = isFresh || finding == .expired
    if isUsable { shown.show(aged, now) }
    return TierLook(
      shown: shown,
      value: isUsable ? aged : nil,
      loadTime: entry.terms?.loadTime ?? 0
    )
  }

  private nonisolated(nonsending) func look(
    _ key: CacheKey,
    _ tier: Tier,
    _ terms: LoadTerms
  ) async -> TierLook<Value> {
    var shown = CacheExplanation.Tier(tier.name)
    let record: CacheEntry?
    do {
      let look = try await tier.look(key)
      shown.invalidatedBy = look.by.map(CacheSelection.init)
      record = look.record
    } catch {
      shown.finding = .failed
      shown.error = "\(error)"
      return TierLook(shown: shown)
    }
    if shown.invalidatedBy != nil { shown.finding = .invalidated }
    if tier.tombstones.covers(key) { shown.finding = .tombstone }
    guard let record else { return TierLook(shown: shown) }
    let now = core.now
    shown.finding = finding(record)
    shown.age = record.age(at: now.wall)
    shown.remainingLife =
      shown.finding == .fresh
      ? Loaded<Value>.remaining(
        Lifetime(freshUntil: record.freshUntil, wall: now.wall).remaining,
        0
      ) : .zero
    shown.kept = Loaded<Value>.remaining(
      Lifetime(freshUntil: record.keptUntil, wall: now.wall).remaining,
      0
    )
    shown.isExpiredByHand = record.isExpiredByHand
    shown.tags = record.metadata.tags
    shown.validator = record.metadata.validator
    shown.bytes = record.payload?.count ?? 0
    if !tier.tombstones.admits(key, record, tier.time.wall) { shown.finding = .tombstone }
    guard shown.finding == .fresh || shown.finding == .expired, let codec else {
      return TierLook(shown: shown)
    }
    guard let value = Result(catching: { try codec.decodePayload(record.payload) }).success else {
      shown.finding = .undecodable
      return TierLook(shown: shown)
    }
    var aged = Aged(value: value, of: record, in: tier.name, terms, now)
    if core.refreshes.reach(key, record, wall: now.wall) { aged.terms = EntryTerms.due(nil) }
    shown.show(aged, now.monotonic)
    return TierLook(shown: shown, value: aged, loadTime: record.metadata.loadTime ?? 0)
  }
}

extension Result {
  fileprivate var success: Success? { if case .success(let value) = self { value } else { nil } }
}
