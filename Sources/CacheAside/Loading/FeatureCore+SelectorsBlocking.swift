// The same on the calling thread; tiers that suspend queue their part behind a barrier.

extension FeatureCore {
  /// Removes what is selected from every tier on the calling thread.
  func removeBlocking(_ selector: CacheSelector) throws {
    try performing(changeNote("remove", about: selector)) { try removeTracedBlocking(selector) }
  }

  private func removeTracedBlocking(_ selector: CacheSelector) throws {
    try check(selector, removes: true)
    switch selector.kind {
    case .keys(let keys):
      try Self.each(keys.map(scopedStoreKey)) { key in
        try changeBlocking(key) {
          for table in tables(for: key) { table.invalidate(key) }
        } inTiers: {
          try Self.each(tiers) { try $0.removeBlocking(key) }
        }
      }
    case .tags(let selection): try removeBlocking(selection, in: namespace)
    case .scope(let scope) where !scope.isEmpty:
      try removeBlocking(.everything, in: namespace.scoped(scope))
    case .scope: try removeBlocking { $0.scope.isEmpty }
    case .condition(let condition): try removeBlocking(where: condition)
    case .all: try removeEverythingBlocking()
    }
  }

  private func removeBlocking(
    _ selection: StoreInvalidation.Selection,
    in namespace: Namespace
  ) throws {
    let invalidation = StoreInvalidation(.remove, selection, in: namespace)
    mark(invalidation, nil)
    try Self.each(tiers.reversed()) { tier in
      defer { mark(invalidation, nil) }
      try tier.performBlocking(.invalidate(invalidation))
    }
  }

  private func removeBlocking(
    where condition: @escaping @Sendable (CacheSelector.Entry) -> Bool
  ) throws {
    let told = holdNotices()
    defer { releaseNotices(told) }
    raiseBarrier()
    defer { lowerBarrier() }
    for table in tables { table.invalidateInMemory(where: condition, nil) }
    let (selects, change) = recordChange(condition, nil)
    try Self.each(tiers) { try $0.performBlocking(.change(namespace, where: selects, change)) }
  }

  /// Removes everything of the feature on the calling thread.
  func removeAllBlocking() throws {
    try performing(changeNote("remove", about: .all)) { try removeEverythingBlocking() }
  }

  private func removeEverythingBlocking() throws {
    let told = holdNotices()
    defer { releaseNotices(told) }
    barriers.raiseAll()
    defer {
      for table in tables { table.invalidateAll() }
      barriers.lowerAll()
    }
    for table in tables { table.invalidateAll() }
    try Self.each(tiers) { try $0.performBlocking(.clear(namespace)) }
  }

  private static func each<Element>(
    _ elements: [Element],
    _ body: (Element) throws -> Void
  ) throws {
    var failure: (any Error)?
    for element in elements {
      do { try body(element) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
