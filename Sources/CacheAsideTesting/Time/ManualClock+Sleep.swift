import CacheAside
import Synchronization

extension ManualClock {
  /// Suspends until the monotonic hand reaches a moment.
  ///
  /// - Parameter deadline: the moment, in nanoseconds of ``monotonicNanoseconds``; one that has
  ///   passed returns at once.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled; nothing is left
  ///   behind then.
  public func sleep(untilNanoseconds deadline: Int64) async throws {
    let id = state.withLock { $0.timeline.nextID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          // Cancellation sets the flag before it calls the handler, and the handler takes this
          // lock: whichever comes second sees the other.
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.timeline.monotonic { return .success(()) }
          state.timeline.add(Sleeper(id: id, deadline: deadline, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.timeline.removeSleeper(id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Suspends until the monotonic hand has moved by a duration.
  ///
  /// A producer under test calls it to take its time.
  ///
  /// - Parameter duration: how long; zero or less returns at once.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleep(untilNanoseconds: state.withLock { $0.timeline.moment(after: duration) })
  }
}
