// What was evicted lately: two bounded queues of 32-bit fingerprints with a common index.
//
// A fingerprint is the lower half of the hash that the policy works with. It is in at most one
// queue. Each queue holds at most `capacity` fingerprints, and the oldest makes room; taking one out
// of the middle leaves a hole (zero) in its ring, and a ring whose holes have used up its slack of
// a quarter is packed again. False hits are of the order of 0.2 · C / 2³² a miss. Where there is a
// cost limit, each queue also holds no more than that cost, and what costs more leaves no ghost.

struct GhostQueues: ~Copyable {
  enum Origin { case window, main }

  private struct Ring {
    var first: Int
    var start = 0
    var span = 0
    var live = 0
    var cost = 0
  }

  private(set) var capacity: Int
  /// The cost of a queue at most; costs are kept only where there is such a limit.
  private let costLimit: Int?
  private let room: Int
  private var slots: RawArray<UInt32>
  private var costs: RawArray<Int>
  private var index: IndexTable
  private var window: Ring
  private var main: Ring

  /// Makes two queues of a capacity each.
  init(capacity: Int, costLimit: Int? = nil) {
    self.capacity = capacity
    self.costLimit = costLimit
    room = capacity == 0 ? 0 : capacity + capacity / 4 + 1
    slots = RawArray(repeating: 0, count: 2 * room)
    costs = RawArray(repeating: 0, count: costLimit == nil ? 0 : 2 * room)
    index = IndexTable(slots: 2 * capacity + capacity * 2 / 3 + 1)
    window = Ring(first: 0)
    main = Ring(first: room)
  }

  /// How many fingerprints are remembered.
  var count: Int { window.live + main.live }

  private static func fingerprint(_ hash: UInt64) -> UInt32 {
    max(1, UInt32(truncatingIfNeeded: hash))
  }

  /// Forgets a hash and tells which queue remembered it.
  mutating func take(_ hash: UInt64) -> Origin? {
    if window.live + main.live == 0 { return nil }
    let wanted = Self.fingerprint(hash)
    guard let slot = index.slot(hash: wanted, where: { slots[$0] == wanted }) else { return nil }
    let position = IndexTable.position(index.words[slot])
    erase(position, slot)
    if position < room {
      window.live -= 1
      window.cost -= cost(position)
      return .window
    }
    main.live -= 1
    main.cost -= cost(position)
    return .main
  }

  private func cost(_ position: Int) -> Int { costs.isEmpty ? 0 : costs[position] }

  private mutating func erase(_ position: Int, _ slot: Int) {
    index.unlink(slot, hashes: PositionHashes(kept: slots))
    slots[position] = 0
  }

  /// Remembers a hash as the newest of a queue.
  mutating func remember(_ hash: UInt64, cost: Int = 0, _ origin: Origin) {
    _ = take(hash)
    guard capacity > 0, cost <= costLimit ?? .max else { return }
    switch origin {
    case .window:
      var ring = window
      append(Self.fingerprint(hash), cost, to: &ring)
      window = ring
    case .main:
      var ring = main
      append(Self.fingerprint(hash), cost, to: &ring)
      main = ring
    }
  }

  // The rings are passed as copies, since the queues they live in are needed as a whole.
  private mutating func append(_ fingerprint: UInt32, _ cost: Int, to ring: inout Ring) {
    if ring.live >= capacity { dropOldest(&ring) }
    if let costLimit {
      while ring.cost > costLimit - cost { dropOldest(&ring) }
    }
    if ring.span == room { pack(&ring) }
    let position = ring.first + (ring.start + ring.span) % room
    slots[position] = fingerprint
    if !costs.isEmpty {
      costs[position] = cost
      ring.cost += cost
    }
    index.link(position, tag: 0, hash: fingerprint)
    ring.span += 1
    ring.live += 1
  }

  private mutating func dropOldest(_ ring: inout Ring) {
    while ring.span > 0 {
      let position = ring.first + ring.start
      ring.start = (ring.start + 1) % room
      ring.span -= 1
      guard slots[position] != 0 else { continue }
      erase(position, index.slot(of: position, hash: slots[position]))
      ring.live -= 1
      ring.cost -= cost(position)
      return
    }
  }

  private mutating func pack(_ ring: inout Ring) {
    let packed = ghosts(of: ring)
    for offset in 0..<room where slots[ring.first + offset] != 0 {
      let position = ring.first + offset
      erase(position, index.slot(of: position, hash: slots[position]))
    }
    (ring.start, ring.span, ring.live, ring.cost) = (0, 0, 0, 0)
    for ghost in packed { append(ghost.fingerprint, ghost.cost, to: &ring) }
  }

  private func ghosts(of ring: Ring) -> [(fingerprint: UInt32, cost: Int)] {
    (0..<ring.span).compactMap { offset in
      let position = ring.first + (ring.start + offset) % room
      return slots[position] == 0 ? nil : (slots[position], cost(position))
    }
  }

  /// Changes the capacity; the newest stay.
  mutating func resize(capacity: Int) {
    var other = GhostQueues(capacity: capacity, costLimit: costLimit)
    for ghost in ghosts(of: window) {
      other.remember(UInt64(ghost.fingerprint), cost: ghost.cost, .window)
    }
    for ghost in ghosts(of: main) {
      other.remember(UInt64(ghost.fingerprint), cost: ghost.cost, .main)
    }
    self = other
  }
}
