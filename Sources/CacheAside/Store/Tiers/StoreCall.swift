import Synchronization

/// One call of a store, which may be given up while it goes on.
final class StoreCall: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var hasEnded = false
    var isHeld = false
  }

  private let state = Lock(State())

  func run(_ time: TimeSource, _ body: sending @escaping @concurrent () async -> Void) {
    let task = time.startTask(body)
    let isCancelled = state.withLock { state in
      state.task = state.hasEnded ? nil : task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  @Sendable func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Notes its end; returns whether somebody counts on hearing of it.
  func end() -> Bool {
    state.withLock { state in
      state.hasEnded = true
      state.task = nil
      return state.isHeld
    }
  }

  /// Does something unless the call has ended, and before it does.
  func ifRunning(_ body: () -> Void) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.isHeld = true
      body()
    }
  }
}
