/// A typed table as its feature sees it, whatever its key and value types.
protocol CacheTable: AnyObject, Sendable {
  /// Marks the loads of a key and removes it from memory, if this table may hold it.
  func invalidate(_ key: CacheKey)
  /// Marks the loads of a key and makes it expired in memory.
  func expireInMemory(_ key: CacheKey, _ expiry: HandExpiry)
  /// Marks the loads of a key that began while it was being changed.
  func closeReaders(_ key: CacheKey)
  /// Marks every load and empties the memory table.
  func invalidateAll()
  /// Removes what is kept no longer from memory.
  @discardableResult func sweep(now: Int64) -> Int
  /// Removes what has expired from memory, kept or not.
  func removeExpiredFromMemory(now: Int64) -> Int
  /// Gives up part of the memory table, from 0 (nothing) to 1 (everything).
  func trimMemory(_ fraction: Double)
  /// Changes how much the memory table may hold.
  func applyMemoryLimits(_ limits: MemoryLimits) throws
  /// Whether the memory table has anything that a sweep may have to remove.
  var needsSweep: Bool { get }
  /// Adds this table's figures.
  func fill(_ statistics: inout CacheStatistics)
  /// Sets this table's figures to zero.
  func resetTable()
}
