import Synchronization

// Limits how many producers of a feature run at once. Waiting loads are served by priority, first come
// first among equals; a load that is cancelled leaves the queue. A load that a producer with a place
// waits for, directly or through other loads and other features, takes no turn: it would wait for the
// one that waits for it. `WaitGraph` knows which these are, when they come and when somebody begins to
// wait for one that is in the queue. The lock is taken under that of the graph.

/// The limit of a feature's loads.
final class Bulkhead: Sendable {
  /// How a load's time in the queue ends.
  fileprivate enum Turn {
    /// It has a place.
    case place
    /// It runs without one.
    case pass
    case cancelled
  }

  fileprivate struct Waiting {
    let number: UInt64
    let priority: TaskPriority
    let flight: Registration?
    let continuation: CheckedContinuation<Turn, Never>
  }

  fileprivate struct State {
    var running = 0
    /// The flights that have a place, by their numbers.
    var holders: [UInt64: Registration] = [:]
    var lastNumber: UInt64 = 0
    var waiting: [Waiting] = []
    /// Cancelled before they could wait.
    var cancelled: Set<UInt64> = []
  }

  private let state = Lock(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// How many loads wait for their turn.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The flights that have a place.
  var holders: [Registration] { state.withLock { Array($0.holders.values) } }

  /// Runs a load when its turn comes.
  ///
  /// - Throws: `CancellationError` for a load that was cancelled while it waited; its own error.
  func run<Result: Sendable>(
    _ load: @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    if let flight = FlightScope.current, WaitGraph.shared.isAwaited(flight, in: self) {
      return try await load()
    }
    guard let permit = try await enter(FlightScope.current) else { return try await load() }
    return try await permit.hold(load)
  }

  /// Waits for a place; `nil` if the load runs without one.
  private func enter(_ flight: Registration?) async throws -> Permit? {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let priority = Task.currentPriority
    let turn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Turn? in
          if state.cancelled.remove(number) != nil { return .cancelled }
          if state.running < limit {
            state.running += 1
            state.holders[number] = flight
            return .place
          }
          let index =
            state.waiting.firstIndex { $0.priority < priority } ?? state.waiting.endIndex
          let waiting = Waiting(
            number: number,
            priority: priority,
            flight: flight,
            continuation: continuation
          )
          state.waiting.insert(waiting, at: index)
          return nil
        }
        if let answer {
          continuation.resume(returning: answer)
        } else if let flight {
          WaitGraph.shared.enqueue(flight, Ticket(bulkhead: self, number: number))
        }
      }
    } onCancel: {
      leave(number)
    }
    if let flight { WaitGraph.shared.dequeue(flight) }
    let permit = turn == .place ? Permit { [self] in next(number) } : nil
    // The mark of a cancellation that came after the wait has no reader any more.
    _ = state.withLock { $0.cancelled.remove(number) }
    try Task.checkCancellation()
    if turn == .cancelled { throw CancellationError() }
    return permit
  }

  private func leave(_ number: UInt64) {
    let waiting = state.withLock { state -> Waiting? in
      if let waiting = state.take(number) { return waiting }
      state.cancelled.insert(number)
      return nil
    }
    waiting?.continuation.resume(returning: .cancelled)
  }

  /// Whether a load waits for its turn.
  func isWaiting(_ number: UInt64) -> Bool {
    // One that has just come is near the end.
    state.withLock { $0.waiting.reversed().contains { $0.number == number } }
  }

  /// Lets a load run without a place; without effect if it does not wait any more.
  func pass(_ number: UInt64) {
    let waiting = state.withLock { $0.take(number) }
    waiting?.continuation.resume(returning: .pass)
  }

  /// Hands a place that was given back to the next in the queue.
  private func next(_ number: UInt64) {
    let (waiting, holder) = state.withLock { state -> (Waiting?, Registration?) in
      let holder = state.holders.removeValue(forKey: number)
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return (nil, holder)
      }
      let waiting = state.waiting.removeFirst()
      state.holders[waiting.number] = waiting.flight
      return (waiting, holder)
    }
    // Released outside the lock: it may hold a user's policy.
    _ = holder
    waiting?.continuation.resume(returning: .place)
  }
}

extension Bulkhead.State {
  /// Takes a load out of the queue.
  fileprivate mutating func take(_ number: UInt64) -> Bulkhead.Waiting? {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
    return waiting.remove(at: index)
  }
}
