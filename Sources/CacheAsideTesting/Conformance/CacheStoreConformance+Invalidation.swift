// Checks: an invalidation reaches what it selects, and nothing else.
import CacheAside

extension CacheStoreConformance.Trial {
  private typealias Records = [CacheKey: CacheEntry]

  private static var scope: Namespace { home.scoped(["tenant": "north"]) }
  private static var elsewhere: Namespace { Namespace("conformance2") }

  func invalidateByAnyTag() async throws {
    try await expectRemoval(of: .anyOf(["red", "e\u{301}"]), in: Self.home) { key, entry in
      Self.home.covers(key.namespace)
        && entry.metadata.tags.contains { $0 == "red" || $0 == "\u{E9}" }
    }
    try await expectRemoval(of: .anyOf([]), in: Self.home) { _, _ in false }
  }

  func invalidateByAllTags() async throws {
    try await expectRemoval(of: .allOf(["red", "blue"]), in: Self.home) { key, entry in
      Self.home.covers(key.namespace) && Set(["red", "blue"]).isSubset(of: entry.metadata.tags)
    }
    try await expectRemoval(of: .allOf([]), in: Self.home) { _, _ in false }
  }

  func invalidateNamespace() async throws {
    try await expectRemoval(of: .everything, in: Self.scope) { key, _ in
      key.namespace == Self.scope
    }
    try await expectRemoval(of: .everything, in: Self.home) { key, _ in
      key.namespace != Self.elsewhere
    }
  }

  func invalidateByExpiry() async throws {
    let records = records
    for isBlocking in faces {
      for (key, entry) in records { try await store.set(entry, for: key) }
      let now = clock.wallMicroseconds
      let invalidation = StoreInvalidation(
        .expire(at: now, staleIfError: Int64(5_000_000_000), keepExpired: 0),
        .anyOf(["red"]),
        in: Self.home
      )
      guard try await invalidate(invalidation, isBlocking) else { return }
      for (key, entry) in records {
        guard invalidation.selects(key, entry) else {
          try await expectEntry(entry, for: key, "which was not selected")
          continue
        }
        guard let kept = try await store.entry(for: key) else { continue }
        expect(kept.freshUntil <= now, "\(name(of: key)) is fresh after it was expired")
        expect(kept.isExpiredByHand, "\(name(of: key)) does not say that it was expired by hand")
        expect(
          kept.keptUntil <= min(entry.keptUntil, now + 5_000_000),
          "\(name(of: key)) is kept until \(kept.keptUntil), at \(now)"
        )
        expect(
          kept.metadata.staleWhileRevalidateEnd == nil,
          "\(name(of: key)) may be served while it is loaded again"
        )
        expect(kept.payload == entry.payload, "\(name(of: key)) has another payload")
      }
    }
  }

  func writeAfterInvalidation() async throws {
    for isBlocking in faces {
      for selection in [
        StoreInvalidation.Selection.anyOf(["red"]), .allOf(["red", "blue"]),
        .everything,
      ] {
        let records = records
        let invalidation = StoreInvalidation(.remove, selection, in: Self.home)
        guard try await invalidate(invalidation, isBlocking) else { return }
        for (key, entry) in records { try await store.set(entry, for: key) }
        for (key, entry) in records {
          try await expectEntry(entry, for: key, "written after an invalidation")
        }
      }
    }
  }

  // MARK: Parts

  /// Whether to ask the blocking requirement, too.
  private var faces: [Bool] { store is any BlockingCacheStore ? [false, true] : [false] }

  private var records: Records {
    var records: Records = [:]
    let lists: [[Tag]] = [[], ["red"], ["blue", "red"], ["blue"], ["\u{E9}"], ["reddish"], ["re"]]
    for (index, tags) in lists.enumerated() {
      var entry = entry("value \(index)", freshFor: 3_600, keptFor: 7_200)
      entry.metadata.tags = tags
      entry.metadata.staleWhileRevalidateEnd = entry.keptUntil
      entry.metadata.staleIfErrorEnd = entry.keptUntil
      for namespace in [Self.home, Self.scope, Self.elsewhere] {
        records[key("\(index)", in: namespace)] = entry
      }
    }
    return records
  }

  /// Whether the store can do it at all.
  private func invalidate(
    _ invalidation: StoreInvalidation,
    _ isBlocking: Bool
  ) async throws -> Bool {
    do {
      if isBlocking, let blocking = store as? any BlockingCacheStore {
        try blocking.invalidateBlocking(invalidation)
      } else {
        try await store.invalidate(invalidation)
      }
      return true
    } catch let error as CacheError
      where error.code == .unsupported
      && store.capabilities.isDisjoint(with: [.scan, .invalidate])
    {
      return false
    }
  }

  private func expectRemoval(
    of selection: StoreInvalidation.Selection,
    in namespace: Namespace,
    _ isRemoved: (CacheKey, CacheEntry) -> Bool
  ) async throws {
    let records = records
    for isBlocking in faces {
      for (key, entry) in records { try await store.set(entry, for: key) }
      let invalidation = StoreInvalidation(.remove, selection, in: namespace)
      guard try await invalidate(invalidation, isBlocking) else { return }
      for (key, entry) in records {
        let isGone = isRemoved(key, entry)
        try await expectEntry(
          isGone ? nil : entry,
          for: key,
          "in \(key.namespace?.description ?? "no namespace"), tags \(entry.metadata.tags)"
        )
      }
    }
  }
}
