import Testing

@testable import CacheAside

/// One shard, driven with times of the test's choice, and what is known about it: a dictionary, and when
/// each tag was invalidated.
struct MemoryTableModel: ~Copyable {
  struct Known {
    var value: Int
    var storedAt: Int64
    var deadline: Int64
    /// When a hit has to go the slow way, at the latest at the deadline.
    var attention: Int64
    var cost: Int
    var terms: EntryTerms?

    var isPinned: Bool { terms?.isPinned ?? false }
  }

  static let tick: Int64 = 1 << 22
  private static let tags: [CacheAside.Tag] = ["red", "green", "blue"]

  var table: MemoryTable<Int, Int>
  var known: [Int: Known] = [:]
  /// Where the sequence stood when a tag was invalidated last.
  private var invalidated: [CacheAside.Tag: UInt64] = [:]
  private let stamps = InvalidationStamps()
  var random: SplitMix
  var now: Int64 = 1 << 50
  let limits: MemoryLimits

  init(_ limits: MemoryLimits, _ policy: EvictionPolicy, isExact: Bool, seed: UInt64) {
    let positions = PositionTable(
      now: now,
      isExact: isExact,
      keepsHashes: false,
      stamps: stamps
    )
    table = MemoryTable(
      core: ShardCore(limits: limits, policy: policy, table: positions),
      hasListener: false,
      integerWidth: 8,
      seed: 3
    )
    random = SplitMix(state: seed)
    self.limits = limits
  }

  func hash(_ key: Int) -> UInt64 {
    FoldedHash.fold(FoldedHash.bits(of: key, width: 8), seed: table.seed)
  }

  /// Whether something whose load began at some time was invalidated since by one of its tags.
  func isOut(_ terms: EntryTerms?) -> Bool {
    guard let terms else { return false }
    return terms.tags.contains { (invalidated[$0] ?? 0) > terms.begun }
  }

  // MARK: Operations

  /// What a new entry carries: often nothing, sometimes tags, and of some keys that it stays.
  private mutating func terms(for key: Int, expires: Bool) -> EntryTerms? {
    let tags = Self.tags.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
    let mayPin = key % 13 == 0 && (expires || limits.countLimit ?? .max > 1)
    let isPinned = mayPin && Bool.random(using: &random)
    if tags.isEmpty && !isPinned { return nil }
    let late = UInt64.random(in: 0...9, using: &random) == 0 ? UInt64(2) : 0
    return EntryTerms(
      tags: tags,
      begun: stamps.now - min(late, stamps.now),
      isPinned: isPinned
    )
  }

  mutating func insert(_ key: Int, _ value: Int, shortLives: Bool) {
    let unit: Int64 = shortLives ? 1_000_000 : 1_000_000_000
    let fresh = Int64.random(in: -1...20, using: &random)
    let deadline = fresh > 15 ? Int64.max : now + fresh * unit
    let kept = deadline == .max ? nil : deadline + Int64.random(in: 0...9, using: &random) * unit
    let attends = Int.random(in: 0..<4, using: &random) == 0
    let terms = InsertTerms(
      storedAt: now - Int64.random(in: 0...2, using: &random) * unit,
      deadline: deadline,
      keptUntil: kept,
      cost: Int.random(in: 0..<9, using: &random),
      terms: self.terms(for: key, expires: deadline != .max),
      attentionAt: attends ? now + Int64.random(in: -1...15, using: &random) * unit : nil
    )
    let isRefused = isOut(terms.terms)
    let expected = !isRefused && hasRoom(for: key, terms)
    var displaced = Displaced<Int, Int>(from: 0, listening: nil)
    let isStored = table.insert(key, value, hash(key), terms, now: now, &displaced)
    #expect(isStored == expected)
    // What began before an invalidation removes nothing newer.
    if isRefused { return }
    known[key] =
      isStored
      ? Known(
        value: value,
        storedAt: terms.storedAt,
        deadline: deadline,
        attention: min(max(terms.attentionAt, terms.storedAt), deadline),
        cost: terms.cost,
        terms: terms.terms
      ) : nil
  }

  /// Whether the limits let an entry in: it takes the place of its key's, or whatever is not pinned leaves.
  private mutating func hasRoom(for key: Int, _ terms: InsertTerms) -> Bool {
    guard terms.keptUntil == .max || terms.keptUntil > now,
      terms.cost <= min(limits.entryCostLimit ?? .max, limits.costLimit ?? .max)
    else { return false }
    table.core.table.now = now
    let slot = table.find(key, hash(key))
    if slot >= 0, table.core.table.reasonToLeave(at: table.position(slot)) == nil {
      let growth = terms.cost - (known[key]?.cost ?? 0)
      if growth <= 0 || table.core.totalCost + growth <= limits.costLimit ?? .max { return true }
    }
    var (count, cost) = (0, 0)
    table.forEachPosition { position in
      let other = unsafe table.entries[position].key
      guard other != key, let known = known[other], known.isPinned else { return }
      count += 1
      cost += known.cost
    }
    return count < limits.countLimit ?? .max && cost + terms.cost <= limits.costLimit ?? .max
  }

  /// A read as the store does it.
  private mutating func value(_ key: Int) -> Int? {
    let flags = table.core.table.flags & PositionTable.clockFlags
    var isObstructed = false
    let value = table.hit(key, hash(key), now: now, isObstructed: &isObstructed)
    guard isObstructed else { return value }
    var displaced = Displaced<Int, Int>(from: 0, listening: nil)
    return table.attentiveHit(key, hash(key), now: now, known: flags, &displaced)
  }

  /// Reads, and says whether what came was right.
  mutating func read(_ key: Int) {
    let known = known[key]
    guard let value = value(key) else {
      // What is missing was evicted, or is over: without limits nothing is, and what is pinned never.
      guard let known, limits == .unlimited || known.isPinned, !isOut(known.terms) else { return }
      return #expect(known.attention != .max && now >= known.attention - Self.tick)
    }
    #expect(value == known?.value)
    #expect(now < known?.attention ?? .min)
    #expect(!isOut(known?.terms))
  }

  mutating func remove(_ key: Int) {
    let slot = table.find(key, hash(key))
    var displaced = Displaced<Int, Int>(from: 0, listening: nil)
    if slot >= 0 { table.removeSlot(slot, .explicit, &displaced) }
    known[key] = nil
  }

  mutating func expire(_ key: Int) {
    let slot = table.find(key, hash(key))
    guard slot >= 0, let deadline = known[key]?.deadline else { return }
    let isKept = table.core.expire(
      table.position(slot),
      at: now,
      staleIfError: 0,
      keepExpired: .max
    )
    var displaced = Displaced<Int, Int>(from: 0, listening: nil)
    guard isKept else {
      table.removeSlot(slot, .expired, &displaced)
      known[key] = nil
      return
    }
    let terms = table.core.table.terms[table.position(slot)]
    #expect(terms?.isExpiredByHand == true)
    known[key]?.terms = terms
    known[key]?.deadline = min(deadline, now)
    known[key]?.attention = min(deadline, now)
  }

  mutating func postponeAttention(_ key: Int) {
    let slot = table.find(key, hash(key))
    guard slot >= 0, let entry = known[key] else { return }
    let moment = now + Int64.random(in: -2...9, using: &random) * 1_000_000_000
    table.core.postponeAttention(table.position(slot), until: moment)
    known[key]?.attention = min(max(moment, entry.attention), entry.deadline)
  }

  mutating func invalidate() {
    let tag = Self.tags[Int.random(in: 0..<Self.tags.count, using: &random)]
    stamps.stamp(tags: [tag])
    invalidated[tag] = stamps.now
    _ = table.core.noteInvalidation(expires: false)
  }

  mutating func sweep(all: Bool) {
    var displaced = Displaced<Int, Int>(from: 0, listening: nil)
    let words = table.core.table.index.words.count
    _ = table.removeExpired(
      slots: 0..<(all ? words : words / 2),
      staleToo: false,
      now: now,
      &displaced
    )
    table.sweep(steps: 7, now: now, &displaced)
  }

  mutating func trim() {
    var displaced = Displaced<Int, Int>(from: 0, listening: nil)
    _ = table.trim(count: table.core.count / 2, cost: .max, most: 99, now: now, &displaced)
  }

  mutating func removeAll() {
    var displaced = Displaced<Int, Int>(from: 0, listening: nil)
    table.removeAll(.invalidated, now: now, &displaced)
    known = [:]
  }
}
