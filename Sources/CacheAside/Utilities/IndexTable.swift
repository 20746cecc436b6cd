// An index from 32-bit hashes to positions in arrays of the owner's: open addressing in words of
// [count 2 | tag 6 | position + 1: 24], linear probing.
//
// Invariants: a word of zero is empty; between the home of a word and the word there is no empty
// one; a position is linked at most once. The home of a hash is (hash · slots) / 2³², so it comes
// from the upper of the 32 bits, and the number of slots need not be a power of two. The table
// keeps no hashes: the owner tells that of a position when a word has to move.

@safe @frozen @usableFromInline
struct IndexTable: ~Copyable {
  @usableFromInline var words: RawArray<UInt32>

  @inlinable static var positionMask: UInt32 { 0x00FF_FFFF }
  @inlinable static var tagMask: UInt32 { 0x3F00_0000 }
  @inlinable static var countUnit: UInt32 { 0x4000_0000 }
  /// The first word whose count is at its maximum.
  @inlinable static var countLimit: UInt32 { 0xC000_0000 }
  /// How many positions a table can tell apart.
  @inlinable static var maximumPositions: Int { 0x00FF_FFFF }

  /// Makes an index of some words; there must be more than there will be positions.
  init(slots: Int) { words = RawArray(repeating: 0, count: max(8, slots)) }

  /// Makes an index for some positions that is four sevenths full with all of them: a read needs few
  /// probes, and a position 7 bytes.
  init(positions: Int) { self.init(slots: 2 * positions - positions / 4) }

  @inlinable @inline(__always)
  func home(_ hash: UInt32) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: words.count)) &>> 32)
  }

  @inlinable @inline(__always)
  func following(_ slot: Int) -> Int {
    let next = slot &+ 1
    return next == words.count ? 0 : next
  }

  @inlinable @inline(__always)
  static func position(_ word: UInt32) -> Int {
    Int(truncatingIfNeeded: word & positionMask) &- 1
  }

  /// Links a position under a hash.
  mutating func link(_ position: Int, tag: UInt32, hash: UInt32) {
    place(tag & Self.tagMask | UInt32(truncatingIfNeeded: position &+ 1), hash: hash)
  }

  private mutating func place(_ word: UInt32, hash: UInt32) {
    var slot = home(hash)
    while words[slot] != 0 { slot = following(slot) }
    words[slot] = word
  }

  /// The slot of a position that is linked under a hash.
  func slot(of position: Int, hash: UInt32) -> Int {
    let wanted = UInt32(truncatingIfNeeded: position &+ 1)
    var slot = home(hash)
    while words[slot] & Self.positionMask != wanted {
      if words[slot] == 0 { preconditionFailure("the position is not in its index") }
      slot = following(slot)
    }
    return slot
  }

  /// The first linked position under a hash that the owner accepts.
  func slot(hash: UInt32, where matches: (Int) -> Bool) -> Int? {
    var slot = home(hash)
    while words[slot] != 0 {
      if matches(Self.position(words[slot])) { return slot }
      slot = following(slot)
    }
    return nil
  }

  /// Empties a slot and closes the gap, so that every later word stays reachable.
  mutating func unlink(_ slot: Int, hashes: PositionHashes) {
    var gap = slot
    var next = following(gap)
    while words[next] != 0 {
      let home = self.home(hashes.hash(at: Self.position(words[next])))
      // The word may fill the gap unless its home lies cyclically in (gap, next].
      let staysPut = gap < next ? (home > gap && home <= next) : (home > gap || home <= next)
      if !staysPut {
        words[gap] = words[next]
        gap = next
      }
      next = following(next)
    }
    words[gap] = 0
  }

  /// Takes the count of a slot and sets it to zero.
  mutating func takeCount(_ slot: Int) -> Int {
    let word = words[slot]
    words[slot] = word & ~Self.countLimit
    return Int(word &>> 30)
  }

  /// Makes room for more positions, keeping counts and tags.
  mutating func resize(positions: Int, hashes: PositionHashes) {
    var other = IndexTable(positions: positions)
    for slot in 0..<words.count where words[slot] != 0 {
      other.place(words[slot], hash: hashes.hash(at: Self.position(words[slot])))
    }
    self = other
  }

  /// Unlinks everything.
  mutating func removeAll() { words.fill(0) }
}
