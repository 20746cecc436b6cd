import Synchronization

// Limits how many producers of a feature run at once. Waiting loads are served by priority, that of
// the most urgent of their waiters, and first come first among equals (F8); a load that is cancelled
// leaves the queue. All of this is O(log n) in the loads that wait. A load that a producer with a place
// waits for, directly or through other loads and other features, takes no turn: it would wait for the
// one that waits for it. `WaitGraph` knows which these are, when they come and when somebody begins to
// wait for one that is in the queue. The lock is taken under that of the graph.

/// The limit of a feature's loads.
final class Bulkhead: Sendable {
  /// How a load's time in the queue ends.
  private enum Turn {
    /// It has a place.
    case place
    /// It runs without one.
    case pass
    case cancelled
  }

  private struct Waiting: HeapElement {
    let ticket: Ticket
    var priority: TaskPriority
    let continuation: CheckedContinuation<Turn, Never>

    func isBefore(_ other: Waiting) -> Bool {
      (other.priority, ticket.number) < (priority, other.ticket.number)
    }

    func lies(at index: Int?) { ticket.position.store(index ?? -1, ordering: .relaxed) }
  }

  private struct State {
    var running = 0
    /// The flights that have a place, by the numbers of their tickets.
    private(set) var holders: [UInt64: Registration] = [:]
    /// How many places a flight has.
    private var placeCounts: [ObjectIdentifier: Int] = [:]
    var queue = IndexedHeap<Waiting>()

    /// Takes a load out of the queue.
    mutating func take(_ ticket: Ticket) -> Waiting? {
      let position = ticket.position.load(ordering: .relaxed)
      return position < 0 ? nil : queue.remove(at: position)
    }

    /// Gives a load a place.
    mutating func give(_ ticket: Ticket) {
      guard let flight = ticket.flight else { return }
      holders[ticket.number] = flight
      placeCounts[ObjectIdentifier(flight), default: 0] += 1
    }

    /// Takes the place of a load back.
    mutating func takeBack(_ number: UInt64) -> Registration? {
      guard let holder = holders.removeValue(forKey: number) else { return nil }
      let identifier = ObjectIdentifier(holder)
      let count = (placeCounts[identifier] ?? 0) - 1
      placeCounts[identifier] = count > 0 ? count : nil
      return holder
    }

    func isHolder(_ flight: Registration) -> Bool { placeCounts[ObjectIdentifier(flight)] != nil }
  }

  private let state = Lock(State())
  private let lastNumber = Atomic<UInt64>(0)
  private let limit: Int
  private let waits: WaitGraph

  init(limit: Int, waits: WaitGraph = .shared) {
    self.limit = limit
    self.waits = waits
  }

  /// How many loads wait for their turn.
  var waitingCount: Int { state.withLock { $0.queue.count } }

  /// The flights that have a place.
  var holders: [Registration] { state.withLock { Array($0.holders.values) } }

  /// Whether a flight has a place.
  func isHolder(_ flight: Registration) -> Bool { state.withLock { $0.isHolder(flight) } }

  /// Runs a load when its turn comes.
  ///
  /// - Throws: `CancellationError` for a load that was cancelled while it waited; its own error.
  func run<Result: Sendable>(
    _ load: @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    if let flight = FlightScope.current, waits.isAwaited(flight, in: self) {
      return try await load()
    }
    guard let permit = try await enter(FlightScope.current) else { return try await load() }
    return try await permit.hold(load)
  }

  /// Waits for a place; `nil` if the load runs without one.
  private func enter(_ flight: Registration?) async throws -> Permit? {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    let ticket = Ticket(self, number: number, flight: flight)
    let turn = await withTaskCancellationHandler {
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        await withTaskPriorityEscalationHandler {
          await wait(ticket)
        } onPriorityEscalated: { _, new in
          self.raise(ticket, to: new)
        }
      } else {
        await wait(ticket)
      }
    } onCancel: {
      leave(ticket)
    }
    if let flight { waits.dequeue(flight) }
    let permit = turn == .place ? Permit { [self] in next(number) } : nil
    try Task.checkCancellation()
    if turn == .cancelled { throw CancellationError() }
    return permit
  }

  private func wait(_ ticket: Ticket) async -> Turn {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Turn? in
        if ticket.isCancelled.load(ordering: .relaxed) { return .cancelled }
        if state.running < limit {
          state.running += 1
          state.give(ticket)
          return .place
        }
        // Under the lock: whoever raises the task after this finds the load in the queue.
        let priority = Task.currentPriority
        state.queue.add(
          Waiting(ticket: ticket, priority: priority, continuation: continuation)
        )
        return nil
      }
      if let answer {
        continuation.resume(returning: answer)
      } else if let flight = ticket.flight {
        waits.enqueue(flight, ticket)
      }
    }
  }

  private func leave(_ ticket: Ticket) {
    let waiting = state.withLock { state in
      ticket.isCancelled.store(true, ordering: .relaxed)
      return state.take(ticket)
    }
    waiting?.continuation.resume(returning: .cancelled)
  }

  /// Moves a load before those that are less urgent; it never sinks.
  private func raise(_ ticket: Ticket, to priority: TaskPriority) {
    state.withLock { state in
      let position = ticket.position.load(ordering: .relaxed)
      guard position >= 0, state.queue[position].priority < priority else { return }
      var waiting = state.queue[position]
      waiting.priority = priority
      state.queue.replace(at: position, with: waiting)
    }
  }

  /// Whether a load waits for its turn.
  func isWaiting(_ ticket: Ticket) -> Bool {
    state.withLock { _ in ticket.position.load(ordering: .relaxed) >= 0 }
  }

  /// Lets a load run without a place; without effect if it does not wait any more.
  func pass(_ ticket: Ticket) {
    let waiting = state.withLock { $0.take(ticket) }
    waiting?.continuation.resume(returning: .pass)
  }

  /// Hands a place that was given back to the next in the queue.
  private func next(_ number: UInt64) {
    let (waiting, holder) = state.withLock { state -> (Waiting?, Registration?) in
      let holder = state.takeBack(number)
      guard let waiting = state.queue.popFirst() else {
        state.running -= 1
        return (nil, holder)
      }
      state.give(waiting.ticket)
      return (waiting, holder)
    }
    // Released outside the lock: it may hold a user's policy.
    _ = holder
    waiting?.continuation.resume(returning: .place)
  }
}
