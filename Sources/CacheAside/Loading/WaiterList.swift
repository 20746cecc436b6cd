// The waiters of one flight, in the order in which they came.
//
// Slots of one array, doubly linked by index, with a list of vacant slots: reserving, parking and
// leaving are O(1) however many wait, and the order of arrival survives the reuse of slots (waking
// in that order keeps a task group of waiters linear). Each use of a slot has a generation, so that
// who held it before does nothing to who holds it now. A slot is reserved before its caller
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
    /// The use that it has now, or will have next.
    var generation: UInt32 = 0
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
  mutating func reserve() -> WaiterSlot {
    var node = Node(content: .reserved, previous: tail, next: Self.none)
    let index: Int32
    if firstVacant != Self.none {
      index = firstVacant
      firstVacant = nodes[Int(index)].next
      node.generation = nodes[Int(index)].generation
      nodes[Int(index)] = node
    } else {
      index = Int32(nodes.count)
      nodes.append(node)
    }
    if tail == Self.none { head = index } else { nodes[Int(tail)].next = index }
    tail = index
    count += 1
    return WaiterSlot(index: index, generation: node.generation)
  }

  /// Whether a caller waits in its slot or is about to.
  ///
  /// - Parameter slot: the slot that was reserved for it.
  /// - Returns: whether it does.
  func isWaiting(_ slot: WaiterSlot) -> Bool {
    switch content(of: slot) {
    case .reserved, .parked: true
    case .vacant, .over: false
    }
  }

  /// What a slot holds; to whom had it before it is vacant.
  private func content(of slot: WaiterSlot) -> Content {
    guard nodes.indices.contains(slot.index), nodes[slot.index].generation == slot.generation
    else { return .vacant }
    return nodes[slot.index].content
  }

  /// Puts a waiter into its slot, unless its caller has left it already.
  ///
  /// O(1).
  ///
  /// - Parameters:
  ///   - waiter: who waits.
  ///   - slot: the slot that was reserved for it.
  /// - Returns: `nil` if it waits now, else how its wait has ended.
  mutating func park(_ waiter: Waiter, in slot: WaiterSlot) -> Waiter.End? {
    switch content(of: slot) {
    case .reserved:
      nodes[slot.index].content = .parked(waiter)
      return nil
    case .over(let end):
      vacate(slot.index)
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
  mutating func leave(_ slot: WaiterSlot) -> Departure {
    let departure = end(slot, .left)
    if case .none = departure { return .none }
    count -= 1
    return departure
  }

  /// Takes out a caller that has not parked and never will; its slot is vacant at once.
  ///
  /// O(1).
  ///
  /// - Parameter slot: its slot.
  /// - Returns: whether it was there.
  mutating func withdraw(_ slot: WaiterSlot) -> Bool {
    guard case .reserved = content(of: slot) else { return false }
    unlink(slot.index)
    vacate(slot.index)
    count -= 1
    return true
  }

  /// How many slots there are, vacant ones among them; for checks.
  var capacity: Int { nodes.count }

  /// Ends a caller's wait; it still counts as one who wants the result.
  ///
  /// O(1).
  ///
  /// - Parameters:
  ///   - slot: its slot.
  ///   - end: how its wait ends.
  /// - Returns: who has to be told.
  mutating func release(_ slot: WaiterSlot, _ end: Waiter.End) -> Departure {
    let departure = self.end(slot, end)
    if case .none = departure { return .none }
    released += 1
    return departure
  }

  private mutating func end(_ slot: WaiterSlot, _ end: Waiter.End) -> Departure {
    switch content(of: slot) {
    case .vacant, .over:
      return .none
    case .reserved:
      unlink(slot.index)
      nodes[slot.index].content = .over(end)
      return .beforeParking
    case .parked(let waiter):
      unlink(slot.index)
      vacate(slot.index)
      return .parked(waiter)
    }
  }

  /// Calls a function for each parked waiter, first come first.
  ///
  /// - Parameter body: the function.
  func forEachParked(_ body: (Waiter) -> Void) {
    var index = head
    while index != Self.none {
      let node = nodes[Int(index)]
      if case .parked(let waiter) = node.content { body(waiter) }
      index = node.next
    }
  }

  private mutating func unlink(_ index: Int) {
    let node = nodes[index]
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

  private mutating func vacate(_ index: Int) {
    let generation = nodes[index].generation &+ 1
    nodes[index] = Node(
      content: .vacant,
      previous: Self.none,
      next: firstVacant,
      generation: generation
    )
    firstVacant = Int32(index)
  }
}
