// Everything about the entries of one shard that does not depend on their types: index, times,
// kept hashes, costs and free positions, as parallel arrays by position.
//
// A position stays the same while its entry is resident. Positions are used from the front; freed
// ones are used first. What a hit touches comes first: the index word (which counts the hits), the
// flags and the deadlines. Hits are counted in the word because its line is in the cache anyway;
// the eviction hand pays a probe for each entry it looks at.
//
// Bits of a 64-bit hash: 60–63 choose the shard, 54–59 are the tag, 0–31 give home, sketch and
// ghosts. For key types whose hash is user code the lower 32 bits are kept, so that neither growth
// nor eviction calls `hash(into:)`; standard integers are hashed again.

@safe @usableFromInline
struct PositionTable: ~Copyable, EvictionSubject {
  @usableFromInline var index: IndexTable
  /// What a hit must look at besides the value: the bits below.
  @usableFromInline var flags: UInt32 = 0
  @usableFromInline var hits: UInt64 = 0
  @usableFromInline var times: EntryTimes
  @usableFromInline var misses: UInt64 = 0
  private var integerHashes: PositionHashes?
  private var keptHashes: RawArray<UInt32>
  private let keepsHashes: Bool
  private let startsExact: Bool
  /// Empty while all entries cost the same, which is ``commonCost`` then.
  private var costs: RawArray<Int>
  /// Made when the first entry with terms comes.
  var terms = TermsArray()
  var carried = TermsCounts()
  /// What was invalidated by tag or namespace; `nil` where nothing is.
  let stamps: InvalidationStamps?
  private var commonCost = 1
  private var free: [UInt32] = []
  @usableFromInline private(set) var used = 0
  @usableFromInline private(set) var capacity = 0
  private(set) var totalCost: Int64 = 0
  /// How many entries have a deadline.
  private(set) var deadlineCount = 0
  /// The time of the running operation.
  var now = Int64.min

  /// Some entry has a deadline, in ticks.
  @inlinable static var coarseFlag: UInt32 { 1 }
  /// Some entry has a deadline, in nanoseconds.
  @inlinable static var preciseFlag: UInt32 { 2 }
  @inlinable static var clockFlags: UInt32 { 3 }
  /// A hit makes its entry the newest.
  @inlinable static var recencyFlag: UInt32 { 4 }
  /// Some entry may have been invalidated by tag or namespace.
  @inlinable static var staleFlag: UInt32 { 8 }

  init(now: Int64, isExact: Bool, keepsHashes: Bool, stamps: InvalidationStamps? = nil) {
    index = IndexTable(positions: 1)
    times = EntryTimes(now: now, isExact: isExact)
    keptHashes = RawArray(repeating: 0, count: 0)
    costs = RawArray(repeating: 1, count: 0)
    self.keepsHashes = keepsHashes
    startsExact = isExact
    self.stamps = stamps
  }

  /// Whether each entry's cost is kept; for checks.
  var keepsCosts: Bool { !costs.isEmpty }

  /// How many entries are resident.
  var count: Int { used - free.count }

  /// Whether the next entry needs a larger table.
  @usableFromInline var isFull: Bool { free.isEmpty && used == capacity }

  @inlinable @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash &>> 30) & IndexTable.tagMask
  }

  private var hashes: PositionHashes {
    if let integerHashes { return integerHashes }
    return PositionHashes(kept: keptHashes)
  }

  /// Says where the integer keys are, after the entries were allocated.
  @usableFromInline
  mutating func setIntegerHashes(_ hashes: PositionHashes) { integerHashes = hashes }

  @inline(__always)
  func slot(of position: Int) -> Int {
    index.slot(of: position, hash: hashes.hash(at: position))
  }

  /// Enlarges every array; entries must still be where they were.
  mutating func resize(positions: Int) {
    index.resize(positions: positions, hashes: hashes)
    times.resize(positions: positions)
    if keepsHashes { keptHashes = keptHashes.resized(to: positions, filling: 0) }
    if !costs.isEmpty { costs = costs.resized(to: positions, filling: commonCost) }
    if !terms.isEmpty { terms.resize(positions: positions) }
    capacity = positions
  }

  /// Takes a position for a new entry; there must be one.
  mutating func place(hash: UInt64, _ insert: InsertTerms) -> Int {
    let position: Int
    if let freed = free.popLast() {
      position = Int(freed)
    } else {
      position = used
      used += 1
    }
    let lower = UInt32(truncatingIfNeeded: hash)
    if keepsHashes { keptHashes[position] = lower }
    setTimes(position, insert, instead: .max)
    totalCost += Int64(insert.cost)
    setCost(position, insert.cost)
    setTerms(position, insert.terms)
    index.link(position, tag: Self.tag(hash), hash: lower)
    return position
  }

  /// Gives the position of an entry back; the entry must still be there.
  mutating func remove(_ position: Int, slot: Int) {
    index.unlink(slot, hashes: hashes)
    setTerms(position, nil)
    totalCost -= Int64(cost(at: position))
    if times.deadline(position) != .max { deadlineCount -= 1 }
    free.append(UInt32(position))
  }

  /// Gives all positions and all memory back.
  mutating func removeAll(now: Int64) {
    index = IndexTable(positions: 1)
    times = EntryTimes(now: now, isExact: startsExact)
    keptHashes = RawArray(repeating: 0, count: 0)
    costs = RawArray(repeating: 1, count: 0)
    terms = TermsArray()
    carried = TermsCounts()
    commonCost = 1
    (free, used, capacity, totalCost, deadlineCount) = ([], 0, 0, 0, 0)
    flags &= Self.recencyFlag
    integerHashes = nil
  }

  /// Changes the times of a resident entry.
  mutating func setTimes(_ position: Int, _ insert: InsertTerms) {
    setTimes(position, insert, instead: times.deadline(position))
  }

  private mutating func setTimes(_ position: Int, _ insert: InsertTerms, instead old: Int64) {
    let attentionAt = attention(insert)
    times.set(
      position,
      storedAt: insert.storedAt,
      deadline: insert.deadline,
      keptUntil: insert.keptUntil,
      attentionAt: attentionAt
    )
    noteDeadline(insert.deadline, instead: old, needsClock: attentionAt != .max)
  }

  /// Ends the freshness of an entry.
  mutating func expire(_ position: Int, deadline: Int64, keptUntil: Int64) {
    let (storedAt, old) = (times.storedAt(position), times.deadline(position))
    times.replace(
      position,
      storedAt: storedAt,
      deadline: deadline,
      keptUntil: keptUntil,
      isRewrite: true
    )
    noteDeadline(deadline, instead: old)
  }

  /// Makes reads of an entry look at it from a moment on.
  mutating func attend(_ position: Int, from moment: Int64) {
    times.advanceAttention(position, to: moment)
    let deadline = times.deadline(position)
    noteDeadline(deadline, instead: deadline, needsClock: true)
  }

  private mutating func noteDeadline(
    _ deadline: Int64,
    instead old: Int64,
    needsClock: Bool = false
  ) {
    deadlineCount += (deadline == .max ? 0 : 1) - (old == .max ? 0 : 1)
    if needsClock || deadline != .max || flags & Self.clockFlags != 0 {
      flags = flags & ~Self.clockFlags | (times.isExact ? Self.preciseFlag : Self.coarseFlag)
    }
  }

  /// Changes the cost of a resident entry.
  mutating func changeCost(_ position: Int, to cost: Int) {
    let difference = Int64(cost) - Int64(self.cost(at: position))
    totalCost += difference
    if isPinned(position) { carried.pinnedCost += difference }
    setCost(position, cost)
  }

  private mutating func setCost(_ position: Int, _ cost: Int) {
    if costs.isEmpty {
      // An entry that is alone says what all cost, until one costs something else.
      if count == 1 { commonCost = cost }
      if cost == commonCost { return }
      costs = RawArray(repeating: commonCost, count: capacity)
    }
    costs[position] = cost
  }

  // MARK: What eviction asks

  mutating func takeHits(at position: Int) -> Int { index.takeCount(slot(of: position)) }

  func policyHash(at position: Int) -> UInt64 {
    FoldedHash.spread(UInt64(hashes.hash(at: position)))
  }

  func cost(at position: Int) -> Int { costs.isEmpty ? commonCost : costs[position] }

  func isDead(at position: Int) -> Bool { reasonToLeave(at: position) != nil }
}
