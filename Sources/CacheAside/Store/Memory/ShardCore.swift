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
    /// Do not store it, but remove the resident version.
    case refuse(removing: RemovalReason)
  }

  @usableFromInline var table: PositionTable
  var queues: LazyTinyLFU
  private let policy: EvictionPolicy?
  private let limits: MemoryLimits
  private let countLimit: Int
  private let costLimit: Int
  private let entryCostLimit: Int
  private var counts = MemoryCounters()
  private var cursor = 0

  /// Below this many positions a bounded shard allocates its arrays once.
  private static let allocatedAtOnce = 65_536

  /// Without a cost limit, so that the sum of all costs cannot overflow.
  private static let largestCost = 1 << 38

  init(limits: MemoryLimits, policy: EvictionPolicy, table: consuming PositionTable) {
    self.table = table
    let isBounded = limits.countLimit != nil || limits.costLimit != nil
    self.policy = isBounded ? policy : nil
    self.limits = limits
    queues = LazyTinyLFU(limits)
    let most = IndexTable.maximumPositions
    countLimit = min(limits.countLimit ?? most, most)
    costLimit = limits.costLimit ?? .max
    entryCostLimit = min(limits.entryCostLimit ?? .max, limits.costLimit ?? Self.largestCost)
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
    let (storedAt, keptUntil, cost) = (insert.storedAt, insert.keptUntil, insert.cost)
    if keptUntil != .max && keptUntil <= max(now, storedAt) { return .refuse(removing: .replaced) }
    if cost > entryCostLimit || countLimit == 0 || costLimit == 0 {
      counts.rejected &+= 1
      return .refuse(removing: .capacity)
    }
    if position < 0 { return .store(removing: .replaced) }
    if table.isDead(at: position) { return .store(removing: .expired) }
    let growth = cost - table.cost(at: position)
    if growth <= 0 || table.totalCost <= costLimit - growth { return .overwrite }
    // It has to make room and must not evict itself, so it leaves and comes back as a new one.
    if policy == .lazyTinyLFU { queues.keepHits(of: position, &table) }
    return .store(removing: .replaced)
  }

  /// Puts new times and costs in the place of the old ones; counts as a hit.
  @usableFromInline
  mutating func overwrite(slot: Int, position: Int, _ insert: InsertTerms) {
    if policy != nil { queues.adjust(position, by: insert.cost - table.cost(at: position)) }
    table.changeCost(position, to: insert.cost)
    table.setTimes(position, insert)
    table.setTerms(position, insert.terms)
    let word = table.index.words[slot]
    if word < IndexTable.countLimit { table.index.words[slot] = word + IndexTable.countUnit }
    if policy == .lru { touch(position) }
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
    if policy != nil { queues.insert(position, cost: insert.cost) }
    counts.insertions &+= 1
    return position
  }

  /// Enlarges the arrays for one more entry; the caller then enlarges that of the entries.
  @usableFromInline
  mutating func grow() -> Int {
    let old = table.capacity
    let grown = old < 4096 ? max(16, 2 * old) : old + old / 4
    let capacity =
      policy != nil && countLimit <= Self.allocatedAtOnce ? countLimit : min(grown, countLimit)
    table.resize(positions: capacity)
    if policy != nil { queues.resize(positions: capacity) }
    return capacity
  }

  // MARK: Departures

  /// Chooses who leaves next so that a new entry fits.
  @usableFromInline
  mutating func nextVictim(adding cost: Int) -> (position: Int, reason: RemovalReason)? {
    nextVictim(count: countLimit - 1, cost: costLimit - cost, incoming: cost)
  }

  /// Chooses who leaves next so that no more than this remains.
  @usableFromInline
  mutating func nextVictim(
    count: Int,
    cost: Int,
    incoming: Int = 1
  ) -> (position: Int, reason: RemovalReason)? {
    let isOverCount = table.count > count
    guard isOverCount || table.totalCost > cost, table.count > 0 else { return nil }
    let victim: Int? =
      switch policy {
      case .lazyTinyLFU: queues.evict(byCost: !isOverCount, for: incoming, &table)
      case .lru, .fifo: queues.popOldest(table)
      case nil: anyPosition()
      }
    guard let victim else { return nil }
    let reason: RemovalReason = table.isDead(at: victim) ? .expired : .capacity
    leave(victim, slot: table.slot(of: victim), reason)
    return (victim, reason)
  }

  private mutating func anyPosition() -> Int? {
    for _ in 0..<table.index.words.count {
      cursor = cursor + 1 < table.index.words.count ? cursor + 1 : 0
      let word = table.index.words[cursor]
      if word != 0 { return IndexTable.position(word) }
    }
    return nil
  }

  /// Removes an entry that is in its queue.
  @usableFromInline
  mutating func remove(slot: Int, reason: RemovalReason) -> Int {
    let position = IndexTable.position(table.index.words[slot])
    // The hits of an entry that has expired still tell how popular its key is.
    if reason == .expired, policy == .lazyTinyLFU { queues.keepHits(of: position, &table) }
    if policy != nil { queues.remove(position, cost: table.cost(at: position)) }
    leave(position, slot: slot, reason)
    return position
  }

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
    cursor = 0
  }

  // MARK: Sweeping

  /// Looks at some slots, going on where the last call ended, for an entry that is kept no longer.
  @usableFromInline
  mutating func nextDead(budget: inout Int, now: Int64) -> Int? {
    table.now = now
    guard table.flags & PositionTable.clockFlags != 0 else { return nil }
    while budget > 0 {
      budget -= 1
      if cursor >= table.index.words.count { cursor = 0 }
      let word = table.index.words[cursor]
      if word != 0 && table.isDead(at: IndexTable.position(word)) { return cursor }
      cursor += 1
    }
    return nil
  }

  /// Whether the entry in a slot is expired: kept no longer, or not fresh.
  @usableFromInline
  func isExpired(slot: Int, staleToo: Bool, now: Int64) -> Bool {
    let word = table.index.words[slot]
    guard word != 0, table.flags & PositionTable.clockFlags != 0 else { return false }
    let position = IndexTable.position(word)
    let end = staleToo ? table.times.deadline(position) : table.times.keptUntil(position)
    return end != .max && end <= now
  }
}
