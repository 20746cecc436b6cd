import Synchronization

/// When what failed may be repeated: one attempt at a time, after a failure not before a pause.
final class TierRepetition: Sendable {
  private struct State {
    var isRunning = false
    var next: Int64 = .min
    var pause: Int64 = 0
  }

  private let state = Lock(State())

  /// Whether an attempt may begin now; it has then begun.
  func begin(_ now: Int64) -> Bool {
    state.withLock { state in
      guard !state.isRunning, now >= state.next else { return false }
      state.isRunning = true
      return true
    }
  }

  /// Notes how an attempt ended.
  func end(_ now: Int64, isDone: Bool) {
    state.withLock { state in
      state.isRunning = false
      state.pause = isDone ? 0 : min(60_000_000_000, max(1_000_000_000, state.pause * 2))
      state.next = isDone ? .min : Lifetime.sum(now, state.pause)
    }
  }
}
