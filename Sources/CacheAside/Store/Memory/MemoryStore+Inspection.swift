import Synchronization

extension MemoryStore {
  /// How many entries are there, fresh or not, with those that were invalidated by tag and have not
  /// been swept.
  public var count: Int {
    (0...shardMask).reduce(0) { sum, index in sum + withTable(index) { $0.core.count } }
  }

  /// Whether some entry's life ends.
  var hasDeadlines: Bool {
    guard attention.load(ordering: .relaxed) & PositionTable.clockFlags != 0 else { return false }
    return (0...shardMask).contains { index in
      withTable(index) { $0.core.table.deadlineCount > 0 }
    }
  }

  /// Whether a sweep has something to do, now or later.
  var needsSweep: Bool {
    if hasDeadlines { return true }
    guard stamps != nil else { return false }
    return (0...shardMask).contains { index in
      withTable(index) { $0.core.table.flags & PositionTable.staleFlag != 0 }
    }
  }

  /// When the first entry is kept no longer, `max` for never; in the past if something was invalidated
  /// by tag or scope and waits to be swept.
  ///
  /// O(n), one shard after the other.
  func firstEnd() -> Int64 {
    (0...shardMask).reduce(.max) { first, index in
      min(first, withTable(index) { $0.core.firstEnd() })
    }
  }

  /// The sum of their costs.
  public var totalCost: Int {
    let sum = (0...shardMask).reduce(0 as Int64) { sum, index in
      sum.addingClamped(withTable(index) { $0.core.table.totalCost })
    }
    return Int(clamping: sum)
  }

  /// What has happened so far, one shard after the other.
  public var counters: MemoryCounters {
    var counters = MemoryCounters()
    for index in 0...shardMask {
      counters.add(
        withTable(index) { table in
          var counters = table.core.counters
          counters.droppedNotices = table.droppedNotices
          return counters
        }
      )
    }
    return counters
  }

  /// The keys that are there, fresh or not, one shard after the other.
  ///
  /// - Returns: a copy.
  @inlinable
  public func keys() -> [Key] { (0...shardMask).flatMap { keys(inShard: $0) } }

  @inlinable
  func keys(inShard index: Int) -> [Key] {
    withTable(index) { table in
      var keys: [Key] = []
      keys.reserveCapacity(table.core.count)
      for slot in 0..<table.core.table.index.words.count
      where table.core.table.index.words[slot] != 0 {
        let position = table.position(slot)
        if table.core.settle(position) != nil { continue }
        keys.append(unsafe table.entries[position].key)
      }
      raiseAttention(table)
      return keys
    }
  }

  /// Visits copies of the entries, fresh or not, outside the lock.
  ///
  /// - Parameter body: called with key and entry; returns whether to go on.
  @inlinable
  public func forEach(_ body: (Key, MemoryEntry<Value>) -> Bool) {
    for index in 0...shardMask {
      let entries = withTable(index) { table in
        var entries: [(Key, MemoryEntry<Value>)] = []
        entries.reserveCapacity(table.core.count)
        for slot in 0..<table.core.table.index.words.count
        where table.core.table.index.words[slot] != 0 {
          let position = table.position(slot)
          if table.core.settle(position) != nil { continue }
          entries.append((unsafe table.entries[position].key, table.entry(at: position)))
        }
        raiseAttention(table)
        return entries
      }
      for (key, entry) in entries where !body(key, entry) { return }
    }
  }
}
