public import Synchronization

extension MemoryStore {
  /// Stores a value from now on.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - deadline: when it stops being fresh; `Int64.max` is never.
  ///   - cost: what it costs; a negative one counts as zero.
  /// - Returns: whether it was stored.
  @inlinable @discardableResult
  public func insert(
    _ value: Value,
    for key: Key,
    deadline: Int64 = .max,
    cost: Int = 1
  ) -> Bool {
    insert(
      value,
      for: key,
      hash: hash(of: key),
      storedAt: clockNow(),
      deadline: deadline,
      cost: cost
    )
  }

  /// Stores a value under a key whose hash is known.
  ///
  /// A value over the limits, or that is kept no longer, is not stored, evicts nothing, and removes
  /// its previous version. One that was invalidated by tag or namespace since its load began is not
  /// stored either, and leaves a newer version alone. With terms that say so, its deadline is that of
  /// idleness, at most the one given. Storing over a resident value counts as a hit.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - storedAt: when it was loaded; may lie before this process began.
  ///   - deadline: when it stops being fresh; `Int64.max` is never.
  ///   - keptUntil: when it stops being kept for stale serving; `nil` is at its deadline.
  ///   - cost: what it costs; a negative one counts as zero.
  ///   - terms: what else it carries; `nil` is nothing.
  ///   - attentionAt: from when on a read finds nothing and counts nothing, so that its caller looks
  ///     at the entry; `nil` is not before the deadline.
  /// - Returns: whether it was stored.
  @inlinable @discardableResult
  func insert(
    _ value: Value,
    for key: Key,
    hash: UInt64,
    storedAt: Int64,
    deadline: Int64,
    keptUntil: Int64? = nil,
    cost: Int,
    terms: EntryTerms? = nil,
    attentionAt: Int64? = nil
  ) -> Bool {
    var displaced = displaced(from: shardIndex(hash))
    return insert(
      value,
      for: key,
      hash: hash,
      storedAt: storedAt,
      deadline: deadline,
      keptUntil: keptUntil,
      cost: cost,
      terms: terms,
      attentionAt: attentionAt,
      displaced: &displaced
    )
  }

  /// Stores a value and leaves to the caller when to release what it displaced.
  ///
  /// For callers that hold a lock of their own: they declare `displaced` outside it.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - storedAt: when it was loaded.
  ///   - deadline: when it stops being fresh; `Int64.max` is never.
  ///   - keptUntil: when it stops being kept for stale serving; `nil` is at its deadline.
  ///   - cost: what it costs; a negative one counts as zero.
  ///   - terms: what else it carries; `nil` is nothing.
  ///   - attentionAt: from when on a read finds nothing and counts nothing; `nil` is not before the
  ///     deadline.
  ///   - isRenewal: whether it is the value that is there, with new times: no removal is told or
  ///     counted for it.
  ///   - displaced: receives what left; made by ``makeDisplaced(for:)`` for the same hash.
  /// - Returns: whether it was stored.
  @inlinable
  func insert(
    _ value: Value,
    for key: Key,
    hash: UInt64,
    storedAt: Int64,
    deadline: Int64,
    keptUntil: Int64? = nil,
    cost: Int,
    terms: EntryTerms? = nil,
    attentionAt: Int64? = nil,
    isRenewal: Bool = false,
    displaced: inout Displaced<Key, Value>
  ) -> Bool {
    let insert = InsertTerms(
      storedAt: storedAt,
      deadline: deadline,
      keptUntil: keptUntil,
      cost: cost,
      terms: terms,
      attentionAt: attentionAt,
      isRenewal: isRenewal
    )
    let needsClock = deadline != .max || terms != nil || attention.load(ordering: .relaxed) != 0
    let now = needsClock ? clockNow() : .min
    let settled = terms == nil ? insert : insert.settled(at: now)
    let index = shardIndex(hash)
    return unsafe shard(index).pointee.lock.withLock { table in
      let isStored = table.insert(key, value, hash, settled, now: now, &displaced)
      raiseAttention(table)
      return isStored
    }
  }

  /// An empty box for what an operation on a key displaces.
  ///
  /// - Parameter hash: what ``hash(of:)`` returned for the key.
  /// - Returns: the box; the displaced are released, and the listener told, when it goes.
  @inlinable
  func makeDisplaced(for hash: UInt64) -> Displaced<Key, Value> {
    displaced(from: shardIndex(hash))
  }

  /// Removes a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value that was there, fresh or not.
  @inlinable @discardableResult
  public func remove(_ key: Key) -> Value? { remove(key, hash: hash(of: key)) }

  /// Removes a key whose hash is known.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - reason: what the counters and the listener are told.
  /// - Returns: the value that was there, fresh or not.
  @inlinable @discardableResult
  func remove(
    _ key: Key,
    hash: UInt64,
    reason: RemovalReason = .explicit
  ) -> Value? {
    var displaced = displaced(from: shardIndex(hash))
    return remove(key, hash: hash, reason: reason, displaced: &displaced)
  }

  /// Removes a key and leaves to the caller when to release it.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - reason: what the counters and the listener are told.
  ///   - displaced: receives what left; made by ``makeDisplaced(for:)`` for the same hash.
  /// - Returns: the value that was there, fresh or not.
  @inlinable @discardableResult
  func remove(
    _ key: Key,
    hash: UInt64,
    reason: RemovalReason = .explicit,
    displaced: inout Displaced<Key, Value>
  ) -> Value? {
    unsafe shard(shardIndex(hash)).pointee.lock.withLock { table in
      let slot = table.find(key, hash)
      if slot < 0 { return nil }
      if let reason = table.core.settle(table.position(slot)) {
        table.removeSlot(slot, reason, &displaced)
        return nil
      }
      let value = unsafe table.entries[table.position(slot)].value
      table.removeSlot(slot, reason, &displaced)
      return value
    }
  }
}
