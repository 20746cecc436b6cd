// The edges of the graph of waits, by both of their ends, and the queues in it.
//
// Invariants: a wait stands once in the list of its source's targets and once in that of its target's
// sources, and knows where; a flight that neither waits nor is waited for has no node; a flight in a
// queue stands in the line of its bulkhead, and knows where. So each of them leaves in O(1). Used by
// `WaitGraph` only, under its lock.

extension WaitGraph {
  /// The waits and queues.
  struct State {
    var nodes: [ObjectIdentifier: Node] = [:]
    var queued: [ObjectIdentifier: Place] = [:]
    /// The queues by their bulkheads.
    var lines: [ObjectIdentifier: Line] = [:]
    private var waits: [Edge: Wait] = [:]
  }

  /// A flight that waits or is waited for.
  struct Node {
    let flight: Registration
    var targets: [Registration] = []
    var sources: [Registration] = []
  }

  /// The flights in the queue of a bulkhead, in no order.
  struct Line {
    let bulkhead: Bulkhead
    var flights: [Registration] = []
  }

  /// A flight's place in the queue of a bulkhead.
  struct Place {
    let ticket: Bulkhead.Ticket
    var index: Int
  }

  private struct Edge: Hashable {
    let source: ObjectIdentifier
    let target: ObjectIdentifier
  }

  /// How often a wait is there, and where it lies in the lists of its ends.
  private struct Wait {
    var count = 1
    var targetIndex: Int
    var sourceIndex: Int
  }
}

extension WaitGraph.State {
  /// Adds a wait.
  mutating func add(from source: Registration, to target: Registration) {
    WorkLog.count(.waiter)
    let edge = WaitGraph.Edge(source: ObjectIdentifier(source), target: ObjectIdentifier(target))
    if waits[edge] != nil {
      waits[edge]?.count += 1
      return
    }
    waits[edge] = WaitGraph.Wait(
      targetIndex: nodes[edge.source]?.targets.count ?? 0,
      sourceIndex: nodes[edge.target]?.sources.count ?? 0
    )
    nodes[edge.source, default: WaitGraph.Node(flight: source)].targets.append(target)
    nodes[edge.target, default: WaitGraph.Node(flight: target)].sources.append(source)
  }

  /// Removes a wait; the caller holds its ends.
  mutating func remove(from source: Registration, to target: Registration) {
    WorkLog.count(.waiter)
    let edge = WaitGraph.Edge(source: ObjectIdentifier(source), target: ObjectIdentifier(target))
    guard let wait = waits[edge] else { return }
    if wait.count > 1 {
      waits[edge]?.count -= 1
      return
    }
    waits[edge] = nil
    let node = WaitGraph.Node(flight: source)
    if let moved = Self.take(wait.targetIndex, outOf: &nodes[edge.source, default: node].targets) {
      let moved = WaitGraph.Edge(source: edge.source, target: ObjectIdentifier(moved))
      waits[moved]?.targetIndex = wait.targetIndex
    }
    if let moved = Self.take(wait.sourceIndex, outOf: &nodes[edge.target, default: node].sources) {
      let moved = WaitGraph.Edge(source: ObjectIdentifier(moved), target: edge.target)
      waits[moved]?.sourceIndex = wait.sourceIndex
    }
    for end in [edge.source, edge.target]
    where nodes[end]?.targets.isEmpty == true && nodes[end]?.sources.isEmpty == true {
      nodes[end] = nil
    }
  }

  /// How many waits of a flight's producer go on.
  func waitCount(of source: Registration) -> Int {
    let source = ObjectIdentifier(source)
    return (nodes[source]?.targets ?? []).reduce(0) { count, target in
      let edge = WaitGraph.Edge(source: source, target: ObjectIdentifier(target))
      return count + (waits[edge]?.count ?? 0)
    }
  }

  /// Notes that a flight, which stands in no queue, waits in one.
  mutating func enqueue(_ flight: Registration, _ ticket: Bulkhead.Ticket) {
    let (identifier, line) = (ObjectIdentifier(flight), ObjectIdentifier(ticket.bulkhead))
    queued[identifier] = WaitGraph.Place(ticket: ticket, index: lines[line]?.flights.count ?? 0)
    lines[line, default: WaitGraph.Line(bulkhead: ticket.bulkhead)].flights.append(flight)
  }

  /// Takes a flight out of its queue.
  ///
  /// - Returns: its ticket, which holds the flight, to be released outside the lock.
  mutating func takeQueued(_ identifier: ObjectIdentifier) -> Bulkhead.Ticket? {
    guard let place = queued.removeValue(forKey: identifier) else { return nil }
    let bulkhead = place.ticket.bulkhead
    let line = ObjectIdentifier(bulkhead)
    let empty = WaitGraph.Line(bulkhead: bulkhead)
    if let moved = Self.take(place.index, outOf: &lines[line, default: empty].flights) {
      queued[ObjectIdentifier(moved)]?.index = place.index
    }
    if lines[line]?.flights.isEmpty == true { lines[line] = nil }
    return place.ticket
  }

  /// Takes an element out of a list; the last one takes its place.
  ///
  /// - Returns: the one that was moved.
  private static func take(_ index: Int, outOf list: inout [Registration]) -> Registration? {
    guard let last = list.popLast(), index < list.count else { return nil }
    list[index] = last
    return last
  }
}
