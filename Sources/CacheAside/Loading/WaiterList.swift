// The waiters of one flight, in the order in which they came.
//
// Slots of one array, doubly linked by index, with a list of vacant slots: reserving, parking and
// leaving are O(1) however many wait, and the order of arrival survives the reuse of slots (waking
// in that order keeps a task group of waiters linear). A slot is reserved before its caller
// suspends; a caller cancelled in between leaves a mark that its parking finds. A caller that only
// timed out is released: it waits no more and still counts. Used by `FlightStateMachine` only, under
// the flight's lock.

/// The waiters of one flight, first come first.
struct WaiterList: Sendable {
  /// What a slot holds.
  private enum Content: Sendable {
    case vacant
    case reserved
    /// Its caller's wait was over before it began.
    case over(Waiter.End)
    case parked(Waiter)
  }

  private struct Node: Sendable {
    var content: Content
    var previous: Int32
    var next: Int32
  }

  /// What leaving a slot did.
  enum Departure: Sendable {
    /// Nobody waits there.
    case none
    /// Its caller has not parked yet and will find the mark.
    case beforeParking
    /// Its caller is parked and must be resumed.
    case parked(Waiter)
  }

  private static let none: Int32 = -1

  private var nodes: [Node] = []
  private var head = none
  private var tail = none
  private var firstVacant = none

  /// How many want the result: those who wait or are about to, and those who were released.
  private(set) var count = 0

  /// How many of them do not wait any more.
  private(set) var released = 0

  /// Takes a slot for a caller that is about to wait.
  ///
  /// Amortised O(1).
  ///
  /// - Returns: the slot.
  mutating func reserve() -> Int {
    let slot: Int32
    if firstVacant != Self.none {
      slot = firstVacant
      firstVacant = nodes[Int(slot)].next
      nodes[Int(slot)] = Node(content: .reserved, previous: tail, next: Self.none)
    } else {
      slot = Int32(nodes.count)
      nodes.append(Node(content: .reserved, previous: tail, next: Self.none))
    }
    if tail == Self.none { head = slot } else { nodes[Int(tail)].next = slot }
    tail = slot
    count += 1
    return Int(slot)
  }

  /// Puts a waiter into its slot, unless its caller has left it already.
  ///
  /// O(1).
  ///
  /// - Parameters:
  ///   - waiter: who waits.
  ///   - slot: the slot that was reserved for it.
  /// - Returns: `nil` if it waits now, else how its wait has ended.
  mutating func park(_ waiter: Waiter, in slot: Int) -> Waiter.End? {
    switch nodes[slot].content {
    case .reserved:
      nodes[slot].content = .parked(waiter)
      return nil
    case .over(let end):
      vacate(slot)
      return end
    case .vacant, .parked:
      preconditionFailure("a waiter parks once, in the slot that it reserved")
    }
  }

  /// Takes a caller out of the list.
  ///
  /// O(1).
  ///
  /// - Parameter slot: its slot.
  /// - Returns: who has to be told.
  mutating func leave(_ slot: Int) -> Departure {
    let departure = end(slot, .left)
    if case .none = departure { return .none }
    count -= 1
    return departure
  }

  /// Ends a caller's wait; it still counts as one who wants the result.
  ///
  /// O(1).
  ///
  /// - Parameters:
  ///   - slot: its slot.
  ///   - end: how its wait ends.
  /// - Returns: who has to be told.
  mutating func release(_ slot: Int, _ end: Waiter.End) -> Departure {
    let departure = self.end(slot, end)
    if case .none = departure { return .none }
    released += 1
    return departure
  }

  private mutating func end(_ slot: Int, _ end: Waiter.End) -> Departure {
    guard nodes.indices.contains(slot) else { return .none }
    switch nodes[slot].content {
    case .vacant, .over:
      return .none
    case .reserved:
      unlink(slot)
      nodes[slot].content = .over(end)
      return .beforeParking
    case .parked(let waiter):
      unlink(slot)
      vacate(slot)
      return .parked(waiter)
    }
  }

  /// Calls a function for each parked waiter, first come first.
  ///
  /// - Parameter body: the function.
  func forEachParked(_ body: (Waiter) -> Void) {
    var slot = head
    while slot != Self.none {
      let node = nodes[Int(slot)]
      if case .parked(let waiter) = node.content { body(waiter) }
      slot = node.next
    }
  }

  private mutating func unlink(_ slot: Int) {
    let node = nodes[slot]
    if node.previous == Self.none {
      head = node.next
    } else {
      nodes[Int(node.previous)].next = node.next
    }
    if node.next == Self.none {
      tail = node.previous
    } else {
      nodes[Int(node.next)].previous = node.previous
    }
  }

  private mutating func vacate(_ slot: Int) {
    nodes[slot] = Node(content: .vacant, previous: Self.none, next: firstVacant)
    firstVacant = Int32(slot)
  }
}
