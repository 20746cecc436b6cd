// The typed half of a shard: keys and values in one dense array, found through the untyped core.
//
// Called under the shard's lock. No user code runs here but `==` of keys: what leaves is moved into
// the caller's `Displaced`, or into the queue of the removal listener, and released after unlocking.
//
// Invariant: the entries at the positions that the index links, and no others, are initialised.

@safe @usableFromInline
struct MemoryTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable {
  @usableFromInline typealias Slot = MemorySlot<Key, Value>
  @usableFromInline typealias Notice = (slot: Slot, reason: RemovalReason, generation: Int)

  @usableFromInline var entries: UnsafeMutablePointer<Slot>
  @usableFromInline var core: ShardCore
  /// What the removal listener must still be told; filled only when there is one.
  @usableFromInline var notices: [Notice] = []
  @usableFromInline var isTelling = false
  /// Removals that the listener is not told of, since its queue was full.
  @usableFromInline var droppedNotices: UInt64 = 0
  @usableFromInline let hasListener: Bool
  @usableFromInline let integerWidth: Int
  @usableFromInline let seed: UInt64

  @usableFromInline
  init(core: consuming ShardCore, hasListener: Bool, integerWidth: Int, seed: UInt64) {
    unsafe entries = Self.allocate(0)
    self.core = core
    self.hasListener = hasListener
    self.integerWidth = integerWidth
    self.seed = seed
  }

  /// How many removals wait for a listener that is being told of others.
  ///
  /// Whoever removes would otherwise have to wait for the listener, or tell it out of order. While
  /// nobody tells, the queue has no bound: whoever fills it tells at once.
  @usableFromInline static var noticeLimit: Int { 10_000 }

  @inlinable deinit {
    for slot in 0..<core.table.index.words.count where core.table.index.words[slot] != 0 {
      let position = IndexTable.position(core.table.index.words[slot])
      unsafe (entries + position).deinitialize(count: 1)
    }
    unsafe Self.deallocate(entries, core.table.capacity)
  }

  /// The index slot of a key, or a negative number.
  @inlinable @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> Int {
    let tag = PositionTable.tag(hash)
    var slot = core.table.index.home(UInt32(truncatingIfNeeded: hash))
    while true {
      let word = core.table.index.words[slot]
      if word == 0 { return -1 }
      if (word ^ tag) & IndexTable.tagMask == 0,
        unsafe entries[IndexTable.position(word)].key == key
      {
        return slot
      }
      slot = core.table.index.following(slot)
    }
  }

  @inlinable @inline(__always)
  func position(_ slot: Int) -> Int { IndexTable.position(core.table.index.words[slot]) }

  /// The value of a key if it is fresh, counted as a hit or a miss.
  ///
  /// `now` is from the coarse clock, or the end of time when it was not read. `isObstructed` is set,
  /// and nothing counted, when the entry is there but may not be fresh, or the shard has flags that
  /// need more than this.
  @inlinable @inline(__always)
  mutating func hit(
    _ key: Key,
    _ hash: UInt64,
    now: Int64,
    isObstructed: inout Bool
  ) -> Value? {
    let entries = unsafe entries
    let tag = PositionTable.tag(hash)
    var slot = core.table.index.home(UInt32(truncatingIfNeeded: hash))
    // As ``find(_:_:)``, with the word at hand where the key is met.
    while true {
      let word = core.table.index.words[slot]
      if word == 0 {
        core.table.misses &+= 1
        return nil
      }
      let position = IndexTable.position(word)
      if (word ^ tag) & IndexTable.tagMask == 0, unsafe entries[position].key == key {
        let flags = core.table.flags
        if flags != 0,
          flags != PositionTable.coarseFlag || !core.table.times.isFresh(position, now: now)
        {
          isObstructed = true
          return nil
        }
        core.table.hits &+= 1
        if word < IndexTable.countLimit {
          core.table.index.words[slot] = word &+ IndexTable.countUnit
        }
        return unsafe entries[position].value
      }
      slot = core.table.index.following(slot)
    }
  }

  /// The same with everything that the fast form leaves out; removes what is over.
  @inlinable
  mutating func attentiveHit(
    _ key: Key,
    _ hash: UInt64,
    now: Int64,
    known: UInt32,
    _ displaced: inout Displaced<Key, Value>
  ) -> Value? {
    let slot = find(key, hash)
    switch slot < 0 ? .miss : core.read(position(slot), now: now, known: known) {
    case .hit: return countedHit(slot)
    case .attend: return nil
    case .miss: break
    case .leave(let reason): removeSlot(slot, reason, &displaced)
    }
    core.table.misses &+= 1
    return nil
  }

  @inlinable @inline(__always)
  mutating func countedHit(_ slot: Int) -> Value {
    let word = core.table.index.words[slot]
    if word < IndexTable.countLimit { core.table.index.words[slot] = word &+ IndexTable.countUnit }
    core.table.hits &+= 1
    return unsafe entries[IndexTable.position(word)].value
  }

  @inlinable
  static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
    let (bytes, alignment) = (Self.bytes(capacity), MemoryLayout<Slot>.alignment)
    return unsafe RawMemory.allocate(byteCount: bytes, alignment: alignment).base
      .bindMemory(to: Slot.self, capacity: capacity)
  }

  @inlinable
  static func deallocate(_ entries: UnsafeMutablePointer<Slot>, _ capacity: Int) {
    unsafe RawMemory.deallocate(entries, byteCount: bytes(capacity))
  }

  @inlinable
  static func bytes(_ capacity: Int) -> Int { capacity * MemoryLayout<Slot>.stride }

  /// Moves the entry at a position out, to be released later.
  @inlinable
  mutating func displace(
    _ position: Int,
    _ reason: RemovalReason,
    _ displaced: inout Displaced<Key, Value>
  ) {
    let slot = unsafe (entries + position).move()
    if hasListener && !(isTelling && notices.count >= Self.noticeLimit) {
      notices.append((slot, reason, displaced.generation))
      displaced.hasNotices = true
    } else {
      if hasListener { droppedNotices &+= 1 }
      displaced.append(slot)
    }
  }

  @inlinable
  mutating func removeSlot(
    _ slot: Int,
    _ reason: RemovalReason,
    _ displaced: inout Displaced<Key, Value>
  ) {
    displace(core.remove(slot: slot, reason: reason), reason, &displaced)
  }

  @inlinable
  mutating func grow() {
    let used = core.table.used
    let old = core.table.capacity
    let capacity = core.grow()
    let larger = unsafe Self.allocate(capacity)
    // It grows only when no position is free, so the first `used` are all initialised.
    unsafe larger.moveInitialize(from: entries, count: used)
    unsafe Self.deallocate(entries, old)
    unsafe entries = larger
    if integerWidth != 0 {
      core.table.setIntegerHashes(
        unsafe PositionHashes(
          integersAt: UnsafeRawPointer(larger),
          stride: MemoryLayout<Slot>.stride,
          width: integerWidth,
          seed: seed
        )
      )
    }
  }
}
