// Doubly linked queues over positions, kept apart from the entries so that a hit never touches them.
//
// Invariants: a position is in at most one list; a link is a position + 1, zero is the end. The top
// byte of `newer` holds what belongs to the position itself: [life 2 | in main 1 | 5 unused].

/// The neighbours of one position.
struct EntryLink: BitwiseCopyable {
  var newer: UInt32 = 0
  var older: UInt32 = 0
}

/// One queue: front is the newest.
struct EntryList {
  var front: UInt32 = 0
  var back: UInt32 = 0
  var count = 0
  var cost = 0
}

struct EntryLinks: ~Copyable {
  private var links: RawArray<EntryLink>
  private static let mask = IndexTable.positionMask

  init(positions: Int) { links = RawArray(repeating: EntryLink(), count: positions) }

  mutating func resize(positions: Int) {
    links = links.resized(to: positions, filling: EntryLink())
  }

  mutating func pushFront(_ position: Int, cost: Int, to list: inout EntryList) {
    let link = UInt32(truncatingIfNeeded: position &+ 1)
    links[position].older = list.front
    setNewer(position, 0)
    if list.front == 0 { list.back = link } else { setNewer(Int(list.front) - 1, link) }
    list.front = link
    list.count += 1
    list.cost += cost
  }

  mutating func remove(_ position: Int, cost: Int, from list: inout EntryList) {
    let newer = links[position].newer & Self.mask
    let older = links[position].older
    if newer == 0 { list.front = older } else { links[Int(newer) - 1].older = older }
    if older == 0 { list.back = newer } else { setNewer(Int(older) - 1, newer) }
    list.count -= 1
    list.cost -= cost
  }

  private mutating func setNewer(_ position: Int, _ link: UInt32) {
    links[position].newer = links[position].newer & ~Self.mask | link
  }

  /// The life that main's clock has left for a position: 0…3.
  func life(_ position: Int) -> Int { Int(links[position].newer &>> 30) }

  mutating func setLife(_ position: Int, _ life: Int) {
    links[position].newer = links[position].newer & 0x3FFF_FFFF | UInt32(life) &<< 30
  }

  /// Whether a position is in the main queue and not in the window.
  func isInMain(_ position: Int) -> Bool { links[position].newer & 0x2000_0000 != 0 }

  mutating func setInMain(_ position: Int, _ isInMain: Bool) {
    let word = links[position].newer & ~0x2000_0000
    links[position].newer = isInMain ? word | 0x2000_0000 : word
  }
}
