public import Synchronization

extension MemoryStore {
  /// The fresh value of a key; counts as a hit or a miss, and a hit makes it stay longer.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value, or `nil` when there is none or it is expired.
  /// - Complexity: O(1); reads no clock while no entry has a deadline.
  @inlinable @inline(__always)
  public func value(for key: Key) -> Value? {
    value(for: key, hash: hash(of: key))
  }

  /// The fresh value of a key whose hash is known.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  /// - Returns: the value, or `nil` when there is none, it is expired, or it needs attention; then
  ///   nothing is counted.
  /// - Complexity: O(1); reads no clock while no entry has a deadline.
  @inlinable @inline(__always)
  func value(for key: Key, hash: UInt64) -> Value? {
    let now = ShardClock.hitTime(sleepOffset, attention.load(ordering: .relaxed))
    var isObstructed = false
    let value = unsafe shard(shardIndex(hash)).pointee.lock.withLock { table in
      table.hit(key, hash, now: now, isObstructed: &isObstructed)
    }
    if isObstructed { return attentiveValue(key, hash) }
    return value
  }

  /// The way of a read that found an entry which is not fresh or needs attention, a shard whose first deadline came
  /// after the clock was read, a precise clock, or an order of entries to keep.
  @inlinable @inline(never)
  func attentiveValue(_ key: Key, _ hash: UInt64) -> Value? {
    let index = shardIndex(hash)
    // What the shard needs was seen under its lock, and the store was told before that.
    let known = attention.load(ordering: .relaxed)
    let now = ShardClock.now(time, known)
    var displaced = displaced(from: index)
    return withTable(index) { table in
      let value = table.attentiveHit(key, hash, now: now, known: known, &displaced)
      raiseAttention(table)
      return value
    }
  }

  /// The fresh value of a key, without a trace: nothing is counted and nothing stays longer.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value, or `nil` when there is none or it is expired.
  @inlinable
  public func peek(_ key: Key) -> Value? { peek(key, hash: hash(of: key)) }

  /// The fresh value of a key whose hash is known, without a trace.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  /// - Returns: the value, or `nil` when there is none or it is expired.
  @inlinable
  func peek(_ key: Key, hash: UInt64) -> Value? {
    let known = attention.load(ordering: .relaxed)
    let now = ShardClock.now(time, known)
    return withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      defer { raiseAttention(table) }
      if slot < 0 || table.core.settle(table.position(slot)) != nil
        || table.core.isExpired(slot: slot, staleToo: true, now: now)
      {
        return nil
      }
      return unsafe table.entries[table.position(slot)].value
    }
  }

  /// What is stored under a key, fresh or not, without a trace.
  ///
  /// - Parameter key: the key.
  /// - Returns: the entry, or `nil` when there is none.
  @inlinable
  public func entry(for key: Key) -> MemoryEntry<Value>? {
    entry(for: key, hash: hash(of: key))
  }

  /// What is stored under a key whose hash is known, fresh or not, without a trace.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  /// - Returns: the entry, or `nil` when there is none or it is kept no longer.
  @inlinable
  func entry(for key: Key, hash: UInt64) -> MemoryEntry<Value>? {
    withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      defer { raiseAttention(table) }
      if slot < 0 || table.core.settle(table.position(slot)) != nil { return nil }
      return table.entry(at: table.position(slot))
    }
  }

  /// The time as an operation off the hit path reads it.
  @inlinable
  func clockNow() -> Int64 {
    let known = attention.load(ordering: .relaxed)
    return known & PositionTable.preciseFlag == 0 ? time.coarse : time.precise
  }
}

extension MemoryTable {
  @inlinable
  func entry(at position: Int) -> MemoryEntry<Value> {
    MemoryEntry(
      value: unsafe entries[position].value,
      storedAt: core.storedAt(position),
      deadline: core.deadline(position),
      keptUntil: core.keptUntil(position),
      cost: core.cost(position),
      terms: core.terms(position)
    )
  }
}
