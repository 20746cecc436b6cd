import Synchronization

// Limits how many producers of a feature run at once. Waiting loads are served by priority, first come
// first among equals; a load that is cancelled leaves the queue. A load that a producer of the same
// feature asks for takes no turn: it would wait for the one that waits for it.

/// The limit of a feature's loads.
final class Bulkhead: Sendable {
  private struct Waiting {
    let id: UInt64
    let priority: TaskPriority
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var running = 0
    var lastID: UInt64 = 0
    var waiting: [Waiting] = []
    /// Cancelled before they could wait.
    var cancelled: Set<UInt64> = []
  }

  /// The bulkheads whose places the current code has, through any number of loads.
  @TaskLocal private static var held: [ObjectIdentifier] = []

  private let state = Lock(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// How many loads wait for their turn.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs a load when its turn comes.
  ///
  /// - Throws: `CancellationError` for a load that was cancelled while it waited; its own error.
  func run<Result: Sendable>(
    _ load: @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    if Self.held.contains(ObjectIdentifier(self)) { return try await load() }
    let permit = try await enter()
    return try await Self.$held.withValue(Self.held + [ObjectIdentifier(self)]) {
      try await permit.hold(load)
    }
  }

  private func enter() async throws -> Permit {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let priority = Task.currentPriority
    let hasPlace = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if state.running < limit {
            state.running += 1
            return true
          }
          let index =
            state.waiting.firstIndex { $0.priority < priority } ?? state.waiting.endIndex
          state.waiting.insert(
            Waiting(id: id, priority: priority, continuation: continuation),
            at: index
          )
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      leave(id)
    }
    let permit = hasPlace ? Permit { [self] in next() } : nil
    // The mark of a cancellation that came after the wait has no reader any more.
    _ = state.withLock { $0.cancelled.remove(id) }
    try Task.checkCancellation()
    guard let permit else { throw CancellationError() }
    return permit
  }

  private func leave(_ id: UInt64) {
    let waiting = state.withLock { state -> Waiting? in
      guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.waiting.remove(at: index)
    }
    waiting?.continuation.resume(returning: false)
  }

  /// Hands a place that was given back to the next in the queue.
  private func next() {
    let waiting = state.withLock { state -> Waiting? in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    waiting?.continuation.resume(returning: true)
  }
}
