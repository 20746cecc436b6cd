// A count that tasks can wait for. Continuations are resumed outside the lock.
import CacheAside
import Synchronization

final class Tally: Sendable {
  private struct Waiter {
    let id: Int
    let goal: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var count = 0
    var lastID = 0
    var waiters: [Waiter] = []
  }

  private let state = Lock(State())

  var count: Int { state.withLock { $0.count } }

  /// Counts one more; returns the new count.
  @discardableResult
  func increment() -> Int {
    let (count, reached) = state.withLock { state in
      state.count += 1
      let count = state.count
      let reached = state.waiters.filter { $0.goal <= count }
      state.waiters.removeAll { $0.goal <= count }
      return (count, reached)
    }
    for waiter in reached { waiter.continuation.resume() }
    return count
  }

  /// Suspends until the count has reached a goal; throws `CancellationError` when cancelled.
  func wait(for goal: Int) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.count >= goal { return .success(()) }
          state.waiters.append(Waiter(id: id, goal: goal, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}
