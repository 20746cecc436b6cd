// How often hashes were seen lately: a count-min sketch of 4-bit counters with aging.
//
// Four counters a hash, all inside one 64-byte block of eight words: block and counters come from
// different halves of the hash. When the increments reach twenty times the number of entries it was
// made for, every counter is halved. Layout and aging are those of Caffeine's sketch (Einziger,
// Friedman, Manes: "TinyLFU: A Highly Efficient Cache Admission Policy", 2017).
// The eviction core calls it, under its shard's lock; nothing here is synchronised.

@safe
struct FrequencySketch: ~Copyable {
  /// The counters: one word an entry, the number of words a power of two.
  private var words: RawArray<UInt64>
  private var blockMask: UInt32
  private var increments = 0
  private var period: Int
  /// How many entries it is sized for.
  private(set) var entries: Int

  /// Makes a sketch for some entries, at least 256; for zero, the smallest.
  init(entries: Int) {
    self.entries = entries
    let sized = entries == 0 ? 8 : max(entries, 256)
    var count = 8
    while count < sized { count *= 2 }
    words = RawArray(repeating: 0, count: count, alignment: 64)
    blockMask = UInt32(count / 8 - 1)
    period = 20 * sized
  }

  private func word(_ hash: UInt64, _ row: Int) -> Int {
    let block = Int(UInt32(truncatingIfNeeded: hash) & blockMask) &* 8
    let selector = Int(truncatingIfNeeded: hash &>> (32 &+ UInt64(row) &* 8))
    return block &+ (selector & 1) &+ row &* 2
  }

  private func shift(_ hash: UInt64, _ row: Int) -> UInt64 {
    ((hash &>> (33 &+ UInt64(row) &* 8)) & 15) &* 4
  }

  /// How often a hash was seen, from 0 to 15; never less than the truth within a period.
  func frequency(_ hash: UInt64) -> Int {
    var least: UInt64 = 15
    for row in 0..<4 { least = min(least, (words[word(hash, row)] &>> shift(hash, row)) & 15) }
    return Int(least)
  }

  /// Counts a hash once.
  mutating func increment(_ hash: UInt64) {
    var added = false
    for row in 0..<4 {
      let word = word(hash, row)
      let shift = shift(hash, row)
      guard (words[word] &>> shift) & 15 != 15 else { continue }
      words[word] &+= 1 &<< shift
      added = true
    }
    guard added else { return }
    increments += 1
    if increments >= period { age() }
  }

  private mutating func age() {
    var odd = 0
    for index in 0..<words.count {
      let word: UInt64 = words[index]
      odd += (word & 0x1111_1111_1111_1111).nonzeroBitCount
      words[index] = (word &>> 1) & 0x7777_7777_7777_7777
    }
    increments = max(0, increments - odd / 4) / 2
  }

  /// Resizes it for more entries; what was counted stays.
  ///
  /// A block of the larger table starts as the block that served its hashes before.
  mutating func grow(entries: Int) {
    var larger = FrequencySketch(entries: entries)
    for index in 0..<larger.words.count where !words.isEmpty {
      larger.words[index] = words[index % words.count]
    }
    larger.increments = increments
    self = larger
  }
}
