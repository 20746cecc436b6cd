// Queues over positions, kept apart from the entries so that a hit never touches them.
//
// What eviction does needs one link a position, towards the newer neighbour: it takes from the back
// and puts to the front. The links towards the older neighbour are made when an entry first leaves
// from the middle (removal, expiry, recency order) and are kept up from then on.
//
// Invariants: a position is in at most one list; a link is a position + 1, zero is the end. The top
// byte of `newer` holds what belongs to the position itself: [life 2 | in main 1 | 5 unused].

/// One queue: front is the newest.
struct EntryList {
  fileprivate(set) var front: UInt32 = 0
  fileprivate(set) var back: UInt32 = 0
  fileprivate(set) var count = 0
  /// The sum of the costs, which an `Int` of 32 bits may not hold.
  var cost: Int64 = 0

  /// The position of the oldest entry.
  var oldest: Int? { back == 0 ? nil : Int(back) - 1 }
}

struct EntryLinks: ~Copyable {
  private var newer: RawArray<UInt32>
  private var older = RawArray<UInt32>(repeating: 0, count: 0)
  private static let mask = IndexTable.positionMask

  init(positions: Int) { newer = RawArray(repeating: 0, count: positions) }

  /// Whether entries may leave from the middle.
  var isDoublyLinked: Bool { !older.isEmpty }

  mutating func resize(positions: Int) {
    newer = newer.resized(to: positions, filling: 0)
    if isDoublyLinked { older = older.resized(to: positions, filling: 0) }
  }

  mutating func pushFront(_ position: Int, cost: Int, to list: inout EntryList) {
    let link = UInt32(truncatingIfNeeded: position &+ 1)
    setNewer(position, 0)
    if isDoublyLinked { older[position] = list.front }
    if list.front == 0 { list.back = link } else { setNewer(Int(list.front) - 1, link) }
    list.front = link
    list.count += 1
    list.cost += Int64(cost)
  }

  /// Unlinks the oldest of a list, which must be the position that is given.
  mutating func popBack(_ position: Int, cost: Int, from list: inout EntryList) {
    let next = newer[position] & Self.mask
    list.back = next
    if next == 0 { list.front = 0 } else if isDoublyLinked { older[Int(next) - 1] = 0 }
    list.count -= 1
    list.cost -= Int64(cost)
  }

  /// Unlinks a member of a doubly linked list.
  mutating func remove(_ position: Int, cost: Int, from list: inout EntryList) {
    if Int(list.back) - 1 == position { return popBack(position, cost: cost, from: &list) }
    let next = newer[position] & Self.mask
    let previous = older[position]
    setNewer(Int(previous) - 1, next)
    if next == 0 { list.front = previous } else { older[Int(next) - 1] = previous }
    list.count -= 1
    list.cost -= Int64(cost)
  }

  /// Makes the links towards older neighbours, so that members may leave from the middle.
  mutating func linkBack(_ lists: EntryList...) {
    older = RawArray(repeating: 0, count: newer.count)
    for list in lists {
      var previous: UInt32 = 0
      var link = list.back
      while link != 0 {
        older[Int(link) - 1] = previous
        (previous, link) = (link, newer[Int(link) - 1] & Self.mask)
      }
    }
  }

  private mutating func setNewer(_ position: Int, _ link: UInt32) {
    newer[position] = newer[position] & ~Self.mask | link
  }

  /// The neighbour of a position towards the front of its list; `nil` at the front.
  func newer(than position: Int) -> Int? {
    let link = newer[position] & Self.mask
    return link == 0 ? nil : Int(link) - 1
  }

  /// The life that main's clock has left for a position: 0…3.
  func life(_ position: Int) -> Int { Int(newer[position] &>> 30) }

  mutating func setLife(_ position: Int, _ life: Int) {
    newer[position] = newer[position] & 0x3FFF_FFFF | UInt32(life) &<< 30
  }

  /// Whether a position is in the main queue and not in the window.
  func isInMain(_ position: Int) -> Bool { newer[position] & 0x2000_0000 != 0 }

  mutating func setInMain(_ position: Int, _ isInMain: Bool) {
    let word = newer[position] & ~0x2000_0000
    newer[position] = isInMain ? word | 0x2000_0000 : word
  }
}
