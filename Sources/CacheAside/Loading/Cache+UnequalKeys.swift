// Keys whose `==` says that they differ from themselves although their key bytes are equal: NaN, and
// what contains one. The memory table by the key's own type would never find them again, so they go
// to the table by `CacheKey`, where every NaN is one (K1). A hit of any other key is not concerned: it
// is found before anybody asks.

extension Cache {
  /// Whether there may be such keys among those of the type.
  ///
  /// Types whose `==` is exact have none; named functions use what stands for their arguments.
  static var keysMayDiffer: Bool {
    Key.self is any CacheKeyConvertible.Type && !(Key.self is any ExactCacheKey.Type)
  }

  /// The table and key for a key that this table would not find again; `nil` for all others.
  func elsewhere(_ key: Key) -> (table: Cache<CacheKey, Value>, key: CacheKey)? {
    guard mayMissKeys, differs(key) else { return nil }
    return (tableByCacheKey, strategy.derive(key))
  }

  /// Whether a key differs from itself.
  ///
  /// Arrays, sets and dictionaries take what is one object for equal without a look at the elements, so
  /// the key bytes of a key with references are searched for a NaN. What looks like one and is none
  /// goes to the other table too, always.
  @usableFromInline @inline(never)
  func differs(_ key: Key) -> Bool {
    if key != key { return true }
    guard !_isPOD(Key.self), let key = key as? any CacheKeyConvertible else { return false }
    return CacheKey.Encoder.mayContainNaN(CacheKey.Encoder.bytes(of: key))
  }
}
