// Invalidation of many entries at once.
//
// By tags or scope: a stamp closes what began before, in memory, in loads and in writes to the stores;
// then each store does its part, the slowest first, and after each the stamp is set anew. So whatever
// was read from a store before its turn is out by the time the next faster store has its own, and
// nothing old can be promoted behind the invalidation. By condition, and for everything: a barrier
// holds loads and promotions off until all stores are through, and those that began meanwhile are
// closed.

extension FeatureCore {
  /// Removes what is selected from every tier, or makes it expired where there is an expiry.
  nonisolated(nonsending) func invalidate(
    _ selector: CacheSelector,
    _ expiry: HandExpiry?,
    erasing: Bool = false
  ) async throws {
    try await performing(changeNote(expiry == nil ? "remove" : "expire", about: selector)) {
      try await removing(erasing) { try await invalidateTraced(selector, expiry) }
    }
  }

  /// Removes a key of the bound scope from every tier, or makes it expired.
  nonisolated(nonsending) func invalidate(_ key: CacheKey, _ expiry: HandExpiry?) async throws {
    let storeKey = scopedStoreKey(key)
    try await performing(changeNote(expiry == nil ? "remove" : "expire", key: storeKey)) {
      try checkScope(terms)
      try await invalidate(storeKey: storeKey, expiry)
    }
  }

  private nonisolated(nonsending) func invalidateTraced(
    _ selector: CacheSelector,
    _ expiry: HandExpiry?
  ) async throws {
    try check(selector, removes: expiry == nil)
    switch selector.kind {
    case .keys(let keys):
      try await Self.each(keys.map(scopedStoreKey)) {
        try await invalidate(storeKey: $0, expiry)
      }
    case .tags(let selection):
      try await invalidate(invalidation(selection, in: namespace, expiry), expiry)
    case .scope(let scope) where !scope.isEmpty:
      try await invalidate(invalidation(.everything, in: namespace.scoped(scope), expiry), expiry)
    case .scope: try await invalidateScopeless(expiry)
    case .condition(let condition): try await invalidate(where: condition, expiry)
    case .all:
      if let expiry { try await expireAll(expiry) } else { try await removeEverything() }
    }
  }

  private nonisolated(nonsending) func invalidate(
    storeKey: CacheKey,
    _ expiry: HandExpiry?
  ) async throws {
    try await change(storeKey) {
      for table in tables(for: storeKey) {
        if let expiry { table.expireInMemory(storeKey, expiry) } else { table.invalidate(storeKey) }
      }
    } inTiers: {
      if let expiry {
        try await expireInTiers(storeKey, expiry)
      } else {
        try await removeFromTiers(storeKey)
      }
    }
  }

  private nonisolated(nonsending) func invalidate(
    _ invalidation: StoreInvalidation,
    _ expiry: HandExpiry?
  ) async throws {
    mark(invalidation, expiry)
    try await Self.each(tiers.reversed()) { tier in
      defer { mark(invalidation, expiry) }
      try await tier.perform(.invalidate(invalidation))
    }
  }

  private nonisolated(nonsending) func expireAll(_ expiry: HandExpiry) async throws {
    let invalidation = invalidation(.everything, in: namespace, expiry)
    raiseBarrier()
    defer { lowerBarrier() }
    for table in tables { table.expireAllInMemory(expiry) }
    try await Self.each(tiers) { try await $0.perform(.invalidate(invalidation)) }
  }

  private nonisolated(nonsending) func invalidateScopeless(_ expiry: HandExpiry?) async throws {
    try await invalidate(where: { $0.scope.isEmpty }, expiry)
  }

  private nonisolated(nonsending) func invalidate(
    where condition: @escaping @Sendable (CacheSelector.Entry) -> Bool,
    _ expiry: HandExpiry?
  ) async throws {
    let told = holdNotices()
    defer { releaseNotices(told) }
    raiseBarrier()
    defer { lowerBarrier() }
    for table in tables { table.invalidateInMemory(where: condition, expiry) }
    let (selects, change) = recordChange(condition, expiry)
    try await Self.each(tiers) { try await $0.perform(.change(namespace, where: selects, change)) }
  }

  // MARK: Parts

  /// Refuses what a store of the feature cannot do, and keys without the scope that the feature
  /// requires, before anything is changed.
  func check(_ selector: CacheSelector, removes: Bool) throws {
    let needed: StoreCapabilities
    switch selector.kind {
    case .keys: return try checkScope(terms)
    case .scope(let scope) where scope.isEmpty: needed = .scan
    case .condition: needed = .scan
    // Every store can remove a namespace.
    case .scope, .all: if removes { return } else { needed = [.scan, .invalidate] }
    case .tags: needed = [.scan, .invalidate]
    }
    for tier in tiers where tier.store.capabilities.isDisjoint(with: needed) {
      throw CacheError(
        .unsupported,
        "the store \"\(tier.name)\" of feature \"\(name)\" cannot list its entries, which this "
          + "selector needs; nothing was invalidated"
      )
    }
  }

  func invalidation(
    _ selection: StoreInvalidation.Selection,
    in namespace: Namespace,
    _ expiry: HandExpiry?
  ) -> StoreInvalidation {
    guard let expiry else { return StoreInvalidation(.remove, selection, in: namespace) }
    return StoreInvalidation(
      .expire(
        at: expiry.now.wall,
        staleIfError: expiry.staleIfError,
        keepExpired: expiry.keepExpired
      ),
      selection,
      in: namespace
    )
  }

  /// Stamps what an invalidation selects, and closes the loads that are known to make such entries.
  func mark(_ invalidation: StoreInvalidation, _ expiry: HandExpiry?) {
    var expiry = expiry
    // A reader's coarse clock may be ticks behind the precise one, so never later than that.
    if let moment = expiry?.now.monotonic { expiry?.now.monotonic = min(moment, time.coarse) }
    switch invalidation.selection {
    case .anyOf(let tags): stamps.stamp(tags: tags, expiry)
    case .allOf(let tags): stamps.stamp(allOf: tags, expiry)
    case .everything: stamps.stamp(invalidation.namespace.scope, expiry)
    }
    for table in tables { table.noteStamp(invalidation, expires: expiry != nil) }
    if tables.contains(where: \.needsSweep) { startSweeper() }
  }

  func raiseBarrier() {
    barriers.raiseAll()
    for table in tables { table.closeAllReaders() }
  }

  func lowerBarrier() {
    for table in tables { table.closeAllReaders() }
    barriers.lowerAll()
  }

  /// Which records a condition selects, and what becomes of each.
  func recordChange(
    _ condition: @escaping @Sendable (CacheSelector.Entry) -> Bool,
    _ expiry: HandExpiry?
  ) -> (
    selects: @Sendable (CacheKey, CacheEntry) -> Bool,
    change: @Sendable (CacheEntry) -> CacheEntry?
  ) {
    let wall = time.wall
    return (
      { condition(CacheSelector.Entry($0, $1, wall: wall)) },
      { record in expiry?.applied(to: record) }
    )
  }

  /// Does something for each, and tells the first failure after all were tried.
  private nonisolated(nonsending) static func each<Element>(
    _ elements: [Element],
    _ body: nonisolated(nonsending) (Element) async throws -> Void
  ) async throws {
    var failure: (any Error)?
    for element in elements {
      do { try await body(element) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
