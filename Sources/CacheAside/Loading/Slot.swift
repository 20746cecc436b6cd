/// The place a value goes to, with the registration that allows it.
struct Slot<Key: Hashable & Sendable>: Sendable {
  let key: Key
  let hash: UInt64
  /// The key as stores see it; `nil` when there are none.
  let storeKey: CacheKey?
  let registration: Registration
  /// Where the feature's invalidations stood when the load began.
  let begun: UInt64

  var hashed: HashedKey<Key> { HashedKey(key: key, hash: hash) }
}
