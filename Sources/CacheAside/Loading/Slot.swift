/// The place a value goes to, with the registration that allows it.
struct Slot<Key: Hashable & Sendable>: Sendable {
  let key: Key
  let hash: UInt64
  /// The key as stores see it; `nil` when there are none.
  let storeKey: CacheKey?
  let registration: Registration
  /// Where the feature's invalidations stood when the load began.
  let begun: UInt64
  /// Where the invalidations of each tier stood when the load began; empty for a write of the caller's
  /// own, which is as new as can be.
  var marks: [LoadMark?]

  /// The mark for one tier.
  func mark(_ tier: Int) -> LoadMark? { marks.indices.contains(tier) ? marks[tier] : nil }

  var hashed: HashedKey<Key> { HashedKey(key: key, hash: hash) }
}
