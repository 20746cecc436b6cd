// Which names a shard surely has none of: a Bloom filter.
//
// What: two bits for each name that was added, taken from the two halves of its checksum. Invariants:
// a name that was added is always found; of the others at most one in fifty is found, too, when the
// filter was made for as many names as it has, one in six with four times as many. Nothing is taken
// out; a new filter is made whenever the shard is listed. Called by the totals of the disk store.
// Reference: B. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970.
struct DiskNameFilter: Sendable {
  /// For how many names there is room at least.
  private static let fewestNames = 128

  private var words: [UInt64] = []

  /// Makes an empty filter, which finds nothing and has no memory until something is added.
  init() {}

  /// Makes a filter of names, by their checksums.
  init(_ names: some Collection<UInt64>) {
    guard !names.isEmpty else { return }
    words = Self.words(for: names.count)
    for name in names { insert(name) }
  }

  /// Adds a name.
  mutating func insert(_ name: UInt64) {
    if words.isEmpty { words = Self.words(for: Self.fewestNames) }
    let (word, bit) = place(name)
    words[word] |= bit
    let (other, otherBit) = place(name >> 32)
    words[other] |= otherBit
  }

  /// Whether a name may have been added.
  func mayContain(_ name: UInt64) -> Bool {
    guard !words.isEmpty else { return false }
    let (word, bit) = place(name)
    guard words[word] & bit != 0 else { return false }
    let (other, otherBit) = place(name >> 32)
    return words[other] & otherBit != 0
  }

  private func place(_ half: UInt64) -> (word: Int, bit: UInt64) {
    (Int(truncatingIfNeeded: half >> 6) & (words.count - 1), 1 << (half & 63))
  }

  /// Sixteen bits for each name, to the next power of two.
  private static func words(for count: Int) -> [UInt64] {
    let needed = max(fewestNames, count) / 4
    return [UInt64](repeating: 0, count: 1 << (Int.bitWidth - (needed - 1).leadingZeroBitCount))
  }
}
