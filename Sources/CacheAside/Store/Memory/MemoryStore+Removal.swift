extension MemoryStore {
  /// Ends the freshness of an entry for good: it is never served while it is loaded again.
  ///
  /// What is kept is never prolonged, and an entry that is not kept leaves.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - now: from when on it is not fresh.
  ///   - staleIfError: how long from now on it may be served when a load fails, at most as long as
  ///     its terms say.
  ///   - keepExpired: how long from now on it is kept besides, at most as long as it was.
  /// - Returns: whether there was an entry.
  @inlinable @discardableResult
  func expire(
    _ key: Key,
    hash: UInt64,
    at now: Int64,
    staleIfError: Int64,
    keepExpired: Int64
  ) -> Bool {
    var displaced = displaced(from: shardIndex(hash))
    return expire(
      key,
      hash: hash,
      at: now,
      staleIfError: staleIfError,
      keepExpired: keepExpired,
      displaced: &displaced
    )
  }

  /// The same for callers that hold a lock of their own and declare `displaced` outside it.
  @inlinable @discardableResult
  func expire(
    _ key: Key,
    hash: UInt64,
    at now: Int64,
    staleIfError: Int64,
    keepExpired: Int64,
    displaced: inout Displaced<Key, Value>
  ) -> Bool {
    // A reader's coarse clock may be ticks behind the precise one, so never later than that.
    let moment = min(now, clockNow())
    return withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      if slot < 0 { return false }
      if let reason = table.core.settle(table.position(slot)) {
        table.removeSlot(slot, reason, &displaced)
        return false
      }
      let isKept = table.core.expire(
        table.position(slot),
        at: moment,
        staleIfError: staleIfError,
        keepExpired: keepExpired
      )
      if isKept { raiseAttention(table) } else { table.removeSlot(slot, .expired, &displaced) }
      return true
    }
  }

  /// Moves the moment of attention of an entry later, when the entry is still there.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: what ``hash(of:)`` returned for it.
  ///   - moment: from when on a read finds nothing; beyond the deadline is at the deadline.
  @inlinable
  func postponeAttention(_ key: Key, hash: UInt64, until moment: Int64) {
    withTable(shardIndex(hash)) { table in
      let slot = table.find(key, hash)
      if slot >= 0 { table.core.postponeAttention(table.position(slot), until: moment) }
    }
  }

  /// Removes everything and gives the memory back; the listener is told after that, so what it stores
  /// stays.
  ///
  /// - Parameter reason: what the counters and the listener are told.
  @inlinable
  public func removeAll(reason: RemovalReason = .invalidated) {
    holdNotices()
    defer { releaseNotices() }
    let now = clockNow()
    for index in 0...shardMask {
      var displaced = displaced(from: index)
      withTable(index) { $0.removeAll(reason, now: now, &displaced) }
    }
  }

  /// Removes every entry whose key is chosen by a predicate.
  ///
  /// - Parameters:
  ///   - reason: what the counters and the listener are told.
  ///   - predicate: called outside the lock, on copies of the keys.
  /// - Returns: how many were removed.
  @inlinable @discardableResult
  public func removeAll(
    reason: RemovalReason = .invalidated,
    where predicate: (Key) -> Bool
  ) -> Int {
    var removed = 0
    for index in 0...shardMask {
      for key in keys(inShard: index) where predicate(key) {
        if remove(key, hash: hash(of: key), reason: reason) != nil { removed += 1 }
      }
    }
    return removed
  }

  /// Removes every entry that is kept no longer.
  ///
  /// - Parameters:
  ///   - now: the time; `nil` asks the clock.
  ///   - staleToo: whether those go as well that are expired but kept.
  /// - Returns: how many were removed.
  /// - Complexity: O(n), with each lock held for about a thousand index words at a time.
  @inlinable @discardableResult
  public func removeExpired(now: Int64? = nil, staleToo: Bool = false) -> Int {
    let now = now ?? clockNow()
    var removed = 0
    for index in 0...shardMask {
      var start = 0
      var isDone = false
      while !isDone {
        var displaced = displaced(from: index)
        let slots = start..<start + 1024
        let (count, words) = withTable(index) { table in
          let words = table.core.table.index.words.count
          table.clean(steps: slots.count, &displaced)
          raiseAttention(table)
          return (
            table.removeExpired(slots: slots, staleToo: staleToo, now: now, &displaced), words
          )
        }
        removed += count
        start = slots.upperBound
        isDone = start >= words
      }
    }
    return removed
  }

  /// Looks at some index words of every shard for entries that are kept no longer; goes on where
  /// the last call ended.
  ///
  /// - Parameter budget: how many words to look at in each shard.
  /// - Returns: how many entries were removed.
  @inlinable @discardableResult
  func sweep(budget: Int) -> Int {
    let now = clockNow()
    var removed = 0
    for index in 0...shardMask {
      var displaced = displaced(from: index)
      removed += withTable(index) { table in
        let count = table.sweep(steps: budget, now: now, &displaced)
        raiseAttention(table)
        return count
      }
    }
    return removed
  }

  /// Evicts until no more than a part of what is there is left; for memory pressure.
  ///
  /// - Parameter fraction: which part of count and cost may stay, from 0 to 1.
  /// - Returns: how many entries were removed.
  @inlinable @discardableResult
  public func trim(toFraction fraction: Double) -> Int {
    // Everything may stay; what is no number gives up everything.
    if fraction >= 1 { return 0 }
    let fraction = max(0, fraction.isNaN ? 0 : fraction)
    holdNotices()
    defer { releaseNotices() }
    let now = clockNow()
    var removed = 0
    for index in 0...shardMask {
      let (count, cost) = withTable(index) { $0.core.part(fraction) }
      while true {
        var displaced = displaced(from: index)
        let step = withTable(index) { table in
          table.trim(count: count, cost: cost, most: 256, now: now, &displaced)
        }
        if step == 0 { break }
        removed += step
      }
    }
    return removed
  }
}

extension MemoryTable {
  /// Evicts a few entries while more than this remains.
  @inlinable
  mutating func trim(
    count: Int,
    cost: Int64,
    most: Int,
    now: Int64,
    _ displaced: inout Displaced<Key, Value>
  ) -> Int {
    var removed = 0
    core.setNow(now)
    while removed < most, let victim = core.nextVictim(count: count, cost: cost) {
      displace(victim.position, victim.reason, &displaced)
      removed += 1
    }
    return removed
  }
}
