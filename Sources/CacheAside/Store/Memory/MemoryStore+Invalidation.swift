import Synchronization

extension MemoryStore {
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
