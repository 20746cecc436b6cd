// Who waits for whom, to refuse a wait that could never end.
//
// Nodes are running flights of any table; an edge says that the producer of one waits for the
// result of the other. A wait that would close a cycle is refused before it begins, whether one
// caller leads all flights of the cycle or several do. A flight that is over is no node: its remaining
// edges are those of waits that are just being resumed. The flights of a batch wait for one producer,
// which is a node of its own.
//
// A flight in the queue of a bulkhead waits for those that have its places. A cycle through a queue is
// no mistake of a caller's; it is broken by letting the flight run without a place. So every wait that
// comes, of a producer or in a queue, is followed through the queues, too.
//
// One lock for the process: only producers that load through a cache and loads of features with a
// bulkhead come here, never a hit or another call from outside a flight. Under it the locks of
// bulkheads are taken, and nothing under those.

import Synchronization

/// The waits between the flights of the process.
final class WaitGraph: Sendable {
  /// The graph of the process.
  static let shared = WaitGraph()

  fileprivate struct State {
    var waits: [ObjectIdentifier: [Registration]] = [:]
    /// The flights in queues.
    var queued: [ObjectIdentifier: Bulkhead.Ticket] = [:]
  }

  private let state = Lock(State())

  /// Adds a wait unless it would close a cycle of flights.
  ///
  /// O(waits reachable from the target).
  ///
  /// - Parameters:
  ///   - source: the flight whose producer is about to wait.
  ///   - target: the flight it is about to wait for.
  /// - Returns: whether it may wait.
  func add(from source: Registration, to target: Registration) -> Bool {
    var released = ReleasedAfterUnlock()
    let (mayWait, stuck) = state.withLock { state -> (Bool, [Bulkhead.Ticket]) in
      guard !state.reaches(source, from: [target], throughQueues: false, &released) else {
        return (false, [])
      }
      state.waits[ObjectIdentifier(source), default: []].append(target)
      return (true, state.takeStuck(from: target, &released))
    }
    for ticket in stuck { ticket.bulkhead.pass(ticket) }
    return mayWait
  }

  /// Removes a wait that ended.
  ///
  /// - Parameters:
  ///   - source: the flight whose producer waited.
  ///   - target: the flight it waited for.
  func remove(from source: Registration, to target: Registration) {
    state.withLock { state in
      let identifier = ObjectIdentifier(source)
      guard let position = state.waits[identifier]?.firstIndex(where: { $0 === target }) else {
        return
      }
      state.waits[identifier]?.remove(at: position)
      if state.waits[identifier]?.isEmpty == true { state.waits[identifier] = nil }
    }
  }

  /// Notes that a flight waits in a queue; it passes if those that have the places wait for it.
  ///
  /// - Parameters:
  ///   - flight: the flight.
  ///   - ticket: its place in the queue; without effect if it has left that already.
  func enqueue(_ flight: Registration, _ ticket: Bulkhead.Ticket) {
    var released = ReleasedAfterUnlock()
    let stuck = state.withLock { state -> [Bulkhead.Ticket] in
      guard ticket.bulkhead.isWaiting(ticket) else { return [] }
      state.queued[ObjectIdentifier(flight)] = ticket
      return state.takeStuck(from: flight, &released)
    }
    for ticket in stuck { ticket.bulkhead.pass(ticket) }
  }

  /// Notes that a flight is in no queue any more.
  ///
  /// - Parameter flight: the flight.
  func dequeue(_ flight: Registration) {
    let ticket = state.withLock { $0.queued.removeValue(forKey: ObjectIdentifier(flight)) }
    _ = ticket
  }

  /// Whether one of those that have a bulkhead's places waits for a flight.
  ///
  /// - Parameters:
  ///   - flight: the flight.
  ///   - bulkhead: the bulkhead.
  /// - Returns: whether the flight would wait there for itself.
  func isAwaited(_ flight: Registration, in bulkhead: Bulkhead) -> Bool {
    var released = ReleasedAfterUnlock()
    return state.withLock { state in
      !state.waits.isEmpty
        && state.reaches(flight, from: bulkhead.holders, throughQueues: true, &released)
    }
  }

  /// How many waits of a flight's producer go on.
  ///
  /// - Parameter source: the flight.
  /// - Returns: their number.
  func waitCount(of source: Registration) -> Int {
    state.withLock { $0.waits[ObjectIdentifier(source)]?.count ?? 0 }
  }
}

extension WaitGraph.State {
  /// Takes out the flights in queues that wait for themselves.
  ///
  /// - Parameters:
  ///   - start: where what has just changed can be seen from.
  ///   - released: receives what the walk has held.
  /// - Returns: what is to let pass.
  fileprivate mutating func takeStuck(
    from start: Registration,
    _ released: inout ReleasedAfterUnlock
  ) -> [Bulkhead.Ticket] {
    // Where no producer waits for anything, no queue is waited for.
    if queued.isEmpty || waits.isEmpty { return [] }
    var reached: [Registration] = []
    _ = walk(from: [start], throughQueues: true, &released) { node in
      reached.append(node)
      return false
    }
    var stuck: [Bulkhead.Ticket] = []
    for node in reached {
      guard let ticket = queued[ObjectIdentifier(node)],
        reaches(node, from: ticket.bulkhead.holders, throughQueues: true, &released)
      else { continue }
      queued[ObjectIdentifier(node)] = nil
      stuck.append(ticket)
    }
    return stuck
  }

  fileprivate func reaches(
    _ goal: Registration,
    from starts: [Registration],
    throughQueues: Bool,
    _ released: inout ReleasedAfterUnlock
  ) -> Bool {
    walk(from: starts, throughQueues: throughQueues, &released) { $0 === goal }
  }

  /// Visits what some flights wait for, and those themselves, until a visit says that it has found what
  /// it looks for.
  ///
  /// All of them go to `released`: the walk may be the last to hold one, and a flight's terms hold what
  /// a user gave.
  ///
  /// - Returns: whether one has.
  private func walk(
    from starts: [Registration],
    throughQueues: Bool,
    _ released: inout ReleasedAfterUnlock,
    _ isFound: (Registration) -> Bool
  ) -> Bool {
    var open = starts
    defer { released.keep(open) }
    var seen: Set<ObjectIdentifier> = []
    var next = 0
    while next < open.count {
      let node = open[next]
      next += 1
      WorkLog.count(.waiter)
      if isFound(node) { return true }
      let identifier = ObjectIdentifier(node)
      guard !node.isOver, seen.insert(identifier).inserted else { continue }
      if let producer = node.producer { open.append(producer) }
      open += waits[identifier] ?? []
      if throughQueues, let ticket = queued[identifier] { open += ticket.bulkhead.holders }
    }
    return false
  }
}
