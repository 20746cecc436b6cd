/// A typed table as its feature sees it, whatever its key and value types.
protocol CacheTable: AnyObject, Sendable {
  /// Which keys it may hold.
  var reach: KeyReach { get }
  /// The value type, one `Optional` stripped.
  var bareType: ObjectIdentifier { get }
  /// Whether it shares keys with another table.
  var kinship: Kinship { get }
  /// A fresh value of memory with its times, whatever its static type.
  func freshForm(_ key: RelatedKey, now: Int64) -> SiblingForm?
  /// Gives up the table's form of a key, since another form was written.
  func giveUpForm(_ key: RelatedKey)
  /// Gives up the form if it was not stored after a moment, since another was loaded then; writes that
  /// have begun go on.
  func giveUpForm(_ key: RelatedKey, storedBy moment: Int64)
  /// Marks the loads of a key and removes it from memory, if this table may hold it.
  func invalidate(_ key: CacheKey)
  /// Marks the loads of a key and makes it expired in memory.
  func expireInMemory(_ key: CacheKey, _ expiry: HandExpiry)
  /// Marks the loads of a key that began while it was being changed.
  func closeReaders(_ key: CacheKey)
  /// Gives up the loads that nobody waits for.
  func giveUpUnobserved()
  /// Marks every load and empties the memory table.
  func invalidateAll()
  /// Keeps the removal listener from being told, until ``releaseNotices()``.
  func holdNotices()
  /// Tells the removal listener what was removed meanwhile.
  func releaseNotices()
  /// Closes the loads and promotions of all keys, and no explicit write.
  func closeAllReaders()
  /// Makes memory look at the stamps again, and closes the loads that are known to be meant.
  func noteStamp(_ invalidation: StoreInvalidation, expires: Bool)
  /// Removes the entries of memory that meet a condition, or makes them expired.
  func invalidateInMemory(where condition: (CacheSelector.Entry) -> Bool, _ expiry: HandExpiry?)
  /// Makes every entry of memory expired.
  func expireAllInMemory(_ expiry: HandExpiry)
  /// Has a key loaded again behind its next read, if memory holds it.
  func refreshInMemory(_ key: CacheKey)
  /// Has the entries of memory that meet a condition loaded again behind their next reads.
  func refreshInMemory(where selects: (CacheSelector.Entry) -> Bool)
  /// Removes what is kept no longer from memory.
  @discardableResult func sweep(now: Int64) -> Int
  /// Removes what has expired from memory, kept or not.
  func removeExpiredFromMemory(now: Int64) -> Int
  /// Empties the memory table; no invalidation.
  func removeAllFromMemory()
  /// Gives up part of the memory table, from 0 (nothing) to 1 (everything).
  func trimMemory(_ fraction: Double)
  /// Changes how much the memory table may hold.
  func applyMemoryLimits(_ limits: MemoryLimits) throws
  /// Whether the memory table has anything that a sweep may have to remove.
  var needsSweep: Bool { get }
  /// When the first entry of the memory table is kept no longer; in the past if a sweep has something
  /// to do at once.
  func firstEnd() -> Int64
  /// Whether it holds nothing: no entry, flight, back-off or remembered error.
  var isIdle: Bool { get }
  /// Whether the memory table is empty.
  var isEmptyInMemory: Bool { get }
  /// What this table knows about a key; `nil` if it cannot hold it, or only a call could tell.
  func explanation(of key: CacheKey) async -> CacheExplanation?
  /// Adds this table's figures.
  func fill(_ statistics: inout CacheStatistics)
  /// Sets this table's figures to zero.
  func resetTable()
}
