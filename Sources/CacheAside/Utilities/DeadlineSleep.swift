import Synchronization

/// One task's sleep until a moment of the system's clock.
///
/// A sleep that is cancelled leaves nothing, other than `Task.sleep`, whose timer stays until its
/// moment comes.
final class DeadlineSleep: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var deadline: Deadline?
    var isOver = false
  }

  private let state = Lock(State())
  private let moment: Int64

  /// Makes a sleep.
  ///
  /// - Parameter moment: when it ends.
  init(_ moment: Int64) { self.moment = moment }

  /// Sleeps; once.
  ///
  /// - Parameter queue: the deadlines of the clock.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  func run(in queue: DeadlineQueue) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.isOver { state.continuation = continuation }
          return state.isOver
        }
        if isOver { return continuation.resume(throwing: CancellationError()) }
        let deadline = queue.add(at: moment) { [self] in end(.success(())) }
        let hasEnded = state.withLock { state in
          if !state.isOver { state.deadline = deadline }
          return state.isOver
        }
        if hasEnded { deadline.cancel() }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  private func end(_ result: Result<Void, any Error>) {
    let (continuation, deadline) = state.withLock { state in
      state.isOver = true
      return (state.continuation.take(), state.deadline.take())
    }
    deadline?.cancel()
    continuation?.resume(with: result)
  }
}
