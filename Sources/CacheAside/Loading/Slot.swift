/// The place a value goes to, with the registration that allows it.
///
/// What never changes lies in one object, so that the frames of a load hold no key of unknown size.
struct Slot<Key: Hashable & Sendable>: Sendable {
  private final class Place: Sendable {
    let key: Key
    let hash: UInt64
    let storeKey: CacheKey?
    let registration: Registration
    let begun: UInt64

    init(
      _ key: Key,
      _ hash: UInt64,
      _ storeKey: CacheKey?,
      _ registration: Registration,
      _ begun: UInt64
    ) {
      self.key = key
      self.hash = hash
      self.storeKey = storeKey
      self.registration = registration
      self.begun = begun
    }
  }

  private let place: Place
  /// Where the invalidations of each tier stood when the load began; empty for a write of the caller's
  /// own, which is as new as can be.
  var marks: [LoadMark?]

  init(
    key: Key,
    hash: UInt64,
    storeKey: CacheKey?,
    registration: Registration,
    begun: UInt64,
    marks: [LoadMark?]
  ) {
    place = Place(key, hash, storeKey, registration, begun)
    self.marks = marks
  }

  var key: Key { place.key }
  var hash: UInt64 { place.hash }
  /// The key as stores see it; `nil` when there are none.
  var storeKey: CacheKey? { place.storeKey }
  var registration: Registration { place.registration }
  /// Where the feature's invalidations stood when the load began.
  var begun: UInt64 { place.begun }

  /// The mark for one tier.
  func mark(_ tier: Int) -> LoadMark? { marks.indices.contains(tier) ? marks[tier] : nil }

  var hashed: HashedKey<Key> { HashedKey(key: key, hash: hash) }
}
