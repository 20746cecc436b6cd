/// What the eviction core must learn about a resident entry, by its position.
package protocol EvictionSubject: ~Copyable {
  /// Takes the hits that were counted since the last time: 0…3.
  mutating func takeHits(at position: Int) -> Int

  /// The hash that the sketch and the ghosts know the entry by.
  func policyHash(at position: Int) -> UInt64

  /// The cost of the entry.
  func cost(at position: Int) -> Int

  /// Whether the entry is kept no longer and so leaves before any live one.
  func isDead(at position: Int) -> Bool
}
