// The decisions of one shard: what may be stored, what has to leave, what is counted. Pure: it
// knows positions, not keys or values, and is called by `MemoryTable` under the shard's lock.
//
// Invariants: count and cost are within the shard's limits after every call; what leaves here has
// left index, queues, costs and free list together, and its entry must be moved out at once.

@safe @usableFromInline
struct ShardCore: ~Copyable {
  /// What to do with an arriving value.
  @usableFromInline
  enum Arrival {
    /// Put it in the place of the resident one.
    case overwrite
    /// Store it as new, after the resident version has left for a reason.
    case store(removing: RemovalReason)
    /// Do not store it, but remove the resident version if there is a reason.
    case refuse(removing: RemovalReason?)
  }

  @usableFromInline var table: PositionTable
  var queues: LazyTinyLFU
  private let policy: EvictionPolicy?
  private var limits: MemoryLimits
  private var bounds: ShardBounds
  private var counts = MemoryCounters()
  var cursor = 0
  /// How many positions were looked at since the last invalidation by tag or namespace.
  var cleaned = 0

  /// Below this many positions a bounded shard allocates its arrays once, when it has more than a few
  /// entries: a program may have many tables that hold one or two.
  private static let allocatedAtOnce = 65_536

  init(limits: MemoryLimits, policy: EvictionPolicy, table: consuming PositionTable) {
    self.table = table
    let isBounded = limits.countLimit != nil || limits.costLimit != nil
    self.policy = isBounded ? policy : nil
    self.limits = limits
    queues = LazyTinyLFU(limits)
    bounds = ShardBounds(limits)
    if self.policy == .lru { self.table.flags = PositionTable.recencyFlag }
  }

  var counters: MemoryCounters {
    var counters = counts
    counters.hits = table.hits
    counters.misses = table.misses
    return counters
  }

  @usableFromInline
  mutating func touch(_ position: Int) {
    if table.isPinned(position) { return }
    queues.touch(position, cost: table.cost(at: position))
  }

  // MARK: Arrivals

  /// Decides about a value; `position` is that of the resident version, negative if there is none.
  @usableFromInline
  mutating func arrive(
    at position: Int,
    _ insert: InsertTerms,
    now: Int64
  ) -> Arrival {
    table.now = now
    let (storedAt, keptUntil, cost) = (insert.storedAt, insert.keptUntil, Int64(insert.cost))
    if let terms = insert.terms, table.stamps?.reach(terms) == true {
      return .refuse(removing: position >= 0 && table.isOut(at: position) ? .invalidated : nil)
    }
    if keptUntil != .max && keptUntil <= max(now, storedAt) { return .refuse(removing: .replaced) }
    if cost > bounds.entryCost || bounds.count == 0 || bounds.cost == 0 {
      counts.rejected &+= 1
      return .refuse(removing: .capacity)
    }
    let reason = position < 0 ? .replaced : table.reasonToLeave(at: position)
    if reason == nil {
      let growth = cost - Int64(table.cost(at: position))
      if growth <= 0 || table.totalCost <= bounds.cost - growth { return .overwrite }
    }
    if table.carried.pinned > 0 && !hasRoom(at: position, cost: cost) {
      counts.rejected &+= 1
      return .refuse(removing: .capacity)
    }
    if let reason { return .store(removing: reason) }
    // It has to make room and must not evict itself, so it leaves and comes back as a new one.
    if policy == .lazyTinyLFU && !table.isPinned(position) { queues.keepHits(of: position, &table) }
    return .store(removing: .replaced)
  }

  /// Whether evicting all that may be evicted leaves room for a new version.
  private func hasRoom(at position: Int, cost: Int64) -> Bool {
    let isPinned = position >= 0 && table.isPinned(position)
    let count = table.carried.pinned - (isPinned ? 1 : 0)
    let pinned = table.carried.pinnedCost - (isPinned ? Int64(table.cost(at: position)) : 0)
    return count < bounds.count && pinned <= bounds.cost - cost
  }

  /// Puts new times and costs in the place of the old ones; counts as a hit.
  @usableFromInline
  mutating func overwrite(slot: Int, position: Int, _ insert: InsertTerms) {
    let wasPinned = table.isPinned(position)
    if policy != nil && !wasPinned {
      queues.adjust(position, by: insert.cost - table.cost(at: position))
    }
    table.changeCost(position, to: insert.cost)
    table.setTimes(position, insert)
    table.setTerms(position, insert.terms)
    if policy != nil && wasPinned != table.isPinned(position) {
      if wasPinned {
        queues.insert(position, cost: insert.cost)
      } else {
        queues.remove(position, cost: insert.cost)
      }
    }
    let word = table.index.words[slot]
    if word < IndexTable.countLimit { table.index.words[slot] = word + IndexTable.countUnit }
    if policy == .lru { touch(position) }
    // A renewal is neither a removal nor an insertion.
    if insert.isRenewal { return }
    counts.insertions &+= 1
    counts.replaced &+= 1
  }

  /// Notes that a new value will be stored.
  @usableFromInline
  mutating func miss(_ hash: UInt64, cost: Int) {
    guard policy == .lazyTinyLFU else { return }
    queues.miss(FoldedHash.spread(UInt64(UInt32(truncatingIfNeeded: hash))), cost: cost)
  }

  /// Takes a position for the new value; there must be room.
  @usableFromInline
  mutating func place(hash: UInt64, _ insert: InsertTerms) -> Int {
    let position = table.place(hash: hash, insert)
    // What is pinned is in no queue, and so is never chosen.
    if policy != nil && !table.isPinned(position) { queues.insert(position, cost: insert.cost) }
    counts.insertions &+= 1
    return position
  }

  /// Enlarges the arrays for one more entry; the caller then enlarges that of the entries.
  @usableFromInline
  mutating func grow() -> Int {
    let old = table.capacity
    let grown = old < 4096 ? max(16, 2 * old) : old + old / 4
    let capacity =
      old > 0 && policy != nil && bounds.count <= Self.allocatedAtOnce
      ? bounds.count : min(grown, bounds.count)
    table.resize(positions: capacity)
    if policy != nil { queues.resize(positions: capacity) }
    return capacity
  }

  // MARK: Departures

  /// Chooses who leaves next so that a new entry fits.
  @usableFromInline
  mutating func nextVictim(adding cost: Int) -> (position: Int, reason: RemovalReason)? {
    nextVictim(count: bounds.count - 1, cost: bounds.cost - Int64(cost), incoming: cost)
  }

  /// Chooses who leaves next so that the limits hold.
  @usableFromInline
  mutating func nextVictim() -> (position: Int, reason: RemovalReason)? {
    nextVictim(count: bounds.count, cost: bounds.cost)
  }

  /// Changes the limits; the caller then evicts until they hold.
  mutating func setLimits(_ limits: MemoryLimits) {
    self.limits = limits
    bounds = ShardBounds(limits)
    queues.setLimits(countLimit: limits.countLimit, costLimit: limits.costLimit)
  }

  /// Chooses who leaves next so that no more than this remains.
  @usableFromInline
  mutating func nextVictim(
    count: Int,
    cost: Int64,
    incoming: Int = 1
  ) -> (position: Int, reason: RemovalReason)? {
    let isOverCount = table.count > count
    guard isOverCount || table.totalCost > cost, table.count > table.carried.pinned else {
      return nil
    }
    let victim: Int? =
      switch policy {
      case .lazyTinyLFU:
        queues.evict(
          byCost: !isOverCount,
          for: incoming,
          beside: (table.carried.pinned, table.carried.pinnedCost),
          &table
        )
      case .lru, .fifo: queues.popOldest(table)
      case nil: anyPosition()
      }
    guard let victim else { return nil }
    let reason = table.reasonToLeave(at: victim) ?? .capacity
    leave(victim, slot: table.slot(of: victim), reason)
    return (victim, reason)
  }

  private mutating func anyPosition() -> Int? {
    for _ in 0..<table.index.words.count {
      cursor = cursor + 1 < table.index.words.count ? cursor + 1 : 0
      let word = table.index.words[cursor]
      if word != 0 && !table.isPinned(IndexTable.position(word)) {
        return IndexTable.position(word)
      }
    }
    return nil
  }

  /// Removes an entry that is in its queue.
  @usableFromInline
  mutating func remove(slot: Int, reason: RemovalReason) -> Int {
    let position = IndexTable.position(table.index.words[slot])
    if policy != nil && !table.isPinned(position) {
      // The hits of an entry that has expired still tell how popular its key is.
      if reason == .expired, policy == .lazyTinyLFU { queues.keepHits(of: position, &table) }
      queues.remove(position, cost: table.cost(at: position))
    }
    leave(position, slot: slot, reason)
    return position
  }

  /// Removes an entry that is about to come back with new times and needs room for them: no removal.
  @usableFromInline
  mutating func removeForRenewal(slot: Int) -> Int {
    let position = remove(slot: slot, reason: .replaced)
    counts.replaced &-= 1
    counts.insertions &-= 1
    return position
  }

  /// Whether something has to leave for a new entry.
  @usableFromInline
  func hasToEvict(for cost: Int) -> Bool {
    table.count >= bounds.count || table.totalCost > bounds.cost - Int64(cost)
  }

  /// Notes a value that was not stored.
  @usableFromInline
  mutating func noteRejection() { counts.rejected &+= 1 }

  private mutating func leave(_ position: Int, slot: Int, _ reason: RemovalReason) {
    table.remove(position, slot: slot)
    counts[reason] &+= 1
  }

  /// Forgets everything, after the entries were moved out.
  @usableFromInline
  mutating func removeAll(reason: RemovalReason, now: Int64) {
    counts[reason] &+= UInt64(table.count)
    table.removeAll(now: now)
    queues = LazyTinyLFU(limits)
    (cursor, cleaned) = (0, 0)
  }
}
