import Synchronization

extension MemoryStore {
  /// Makes reads of a fresh entry find nothing and count nothing, so that their caller looks at the
  /// entry and has it loaded again.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  func markDue(_ key: Key, hash: UInt64) {
    let now = clockNow()
    withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      if slot < 0 || table.core.settle(table.position(slot)) != nil { return }
      table.core.markDue(table.position(slot), now: now)
      raiseAttention(table)
    }
  }

  /// Makes reads leave out what was invalidated by tag or namespace; called after the stamp was set.
  ///
  /// - Parameter expires: whether entries were expired by the stamp, not removed.
  /// - Complexity: O(1) for each shard; what is out leaves when it is read or swept.
  func invalidateSelectable(expires: Bool = false) {
    for index in 0...shardMask {
      withTable(index) { table in
        let needed = table.core.noteInvalidation(expires: expires)
        if needed > 0 { attention.max(needed, ordering: .relaxed) }
      }
    }
  }
}
