import Synchronization

@testable import CacheAside

extension FlawedStore {
  func invalidateBlocking(_ invalidation: StoreInvalidation) throws {
    var invalidation = invalidation
    switch (flaw, invalidation.selection) {
    case (.missesSecondTag, .anyOf(let tags)):
      invalidation.selection = .anyOf(Array(tags.prefix(1)))
    case (.takesAnyOfAll, .allOf(let tags)): invalidation.selection = .anyOf(tags)
    case (.invalidatesAllScopes, _): invalidation.namespace = invalidation.namespace.scoped(.none)
    default: break
    }
    if flaw == .invalidatesForGood { place.forbidden.withLock { $0 = invalidation } }
    place.records.withLock { records in
      for (identity, record) in records where invalidation.selects(record.key, record.entry) {
        if flaw == .expiresNothing, invalidation.verb != .remove { continue }
        records[identity] = invalidation.applied(to: record.entry).map {
          Record(key: record.key, entry: $0)
        }
      }
    }
  }
}
