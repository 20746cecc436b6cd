// Who waits for whom, to refuse a wait that could never end.
//
// Nodes are running flights of any table; an edge says that the producer of one waits for the
// result of the other. A wait that would close a cycle is refused before it begins, whether one
// caller leads all flights of the cycle or several do. A flight that is over is no node: its remaining
// edges are those of waits that are just being resumed. The flights of a batch wait for one producer,
// which is a node of its own.
//
// A flight in the queue of a bulkhead waits for those that have its places. A cycle through a queue is
// no mistake of a caller's; it is broken by letting the flight run without a place. New edges begin at a
// flight whose producer comes to wait, or that comes to a queue, so every new cycle goes through it.
//
// Waits come and go in O(1) (`WaitGraph.State.swift`), and are followed from both ends at once, an edge at
// a time, until the ends meet or one of them has no edge left (`WaitGraph.State+Searching.swift`): who
// waits for much is mostly waited for by nobody, and what it waits for waits for nothing.
//
// One lock for the process: only producers that load through a cache and loads of features with a
// bulkhead come here, never a hit or another call from outside a flight. Under it the locks of
// bulkheads are taken, and nothing under those.

import Synchronization

/// The waits between the flights of the process.
final class WaitGraph: Sendable {
  /// The graph of the process.
  static let shared = WaitGraph()

  private let state = Lock(State())

  /// Adds a wait unless it would close a cycle of flights.
  ///
  /// O(min(what the target waits for, what waits for the source)).
  ///
  /// - Parameters:
  ///   - source: the flight whose producer is about to wait.
  ///   - target: the flight it is about to wait for.
  /// - Returns: whether it may wait.
  func add(from source: Registration, to target: Registration) -> Bool {
    var released = ReleasedAfterUnlock()
    let (mayWait, stuck) = state.withLock { state -> (Bool, [Bulkhead.Ticket]) in
      let path = state.path(from: .flight(target), to: source, throughQueues: false, &released)
      guard path == nil else { return (false, []) }
      state.add(from: source, to: target)
      return (true, state.takeStuck(from: target, to: source, &released))
    }
    for ticket in stuck { ticket.bulkhead.pass(ticket) }
    return mayWait
  }

  /// Removes a wait that ended.
  ///
  /// - Parameters:
  ///   - source: the flight whose producer waited.
  ///   - target: the flight it waited for.
  /// - Complexity: O(1).
  func remove(from source: Registration, to target: Registration) {
    state.withLock { $0.remove(from: source, to: target) }
  }

  /// Notes that a flight waits in a queue; it passes if those that have the places wait for it.
  ///
  /// - Parameters:
  ///   - flight: the flight.
  ///   - ticket: its place in the queue; without effect if it has left that already.
  func enqueue(_ flight: Registration, _ ticket: Bulkhead.Ticket) {
    var released = ReleasedAfterUnlock()
    let passes = state.withLock { state -> Bool in
      guard ticket.bulkhead.isWaiting(ticket) else { return false }
      if state.isAwaited(flight, in: ticket.bulkhead, &released) { return true }
      if let older = state.takeQueued(ObjectIdentifier(flight)) { released.keep(older) }
      state.enqueue(flight, ticket)
      return false
    }
    if passes { ticket.bulkhead.pass(ticket) }
  }

  /// Notes that a flight is in no queue any more.
  ///
  /// - Parameter flight: the flight.
  func dequeue(_ flight: Registration) {
    let ticket = state.withLock { $0.takeQueued(ObjectIdentifier(flight)) }
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
    return state.withLock { $0.isAwaited(flight, in: bulkhead, &released) }
  }

  /// How many waits of a flight's producer go on.
  ///
  /// - Parameter source: the flight.
  /// - Returns: their number.
  func waitCount(of source: Registration) -> Int {
    state.withLock { $0.waitCount(of: source) }
  }
}
