extension CacheSelector {
  /// What a condition sees of an entry.
  public struct Entry: Sendable {
    /// Its key, as `CacheFeature.remove(_:)` takes it.
    public let key: CacheKey

    /// The scope it belongs to.
    public let scope: CacheScope

    /// Its tags.
    public let tags: [Tag]

    /// How long ago it was stored.
    public let age: Duration
  }
}

extension CacheSelector.Entry {
  /// What a condition sees of an entry under a key in its namespace.
  init(_ storeKey: CacheKey, tags: [Tag], age: Duration) {
    self.init(
      key: storeKey.moved(to: nil),
      scope: storeKey.namespace?.scope ?? .none,
      tags: tags,
      age: age
    )
  }

  /// What a condition sees of a record.
  init(_ storeKey: CacheKey, _ record: CacheEntry, wall: Int64) {
    self.init(storeKey, tags: record.metadata.tags, age: record.age(at: wall))
  }
}
