import Synchronization

/// Work that synchronous calls left for a tier whose store suspends; runs in order, one at a time.
final class TierQueue: Sendable {
  private struct State {
    var jobs: [@Sendable () async -> Void] = []
    var isRunning = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Queues a job; `time` starts the task that runs the queue.
  func add(_ time: TimeSource, _ job: @escaping @Sendable () async -> Void) {
    let starts = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    time.startTask(inheritsContext: false) { [self] in
      while let job = next() { await job() }
    }
  }

  private func next() -> (@Sendable () async -> Void)? {
    let (job, waiters) = state.withLock { state in
      guard state.jobs.isEmpty else {
        let job = state.jobs.removeFirst()
        return (job as (@Sendable () async -> Void)?, [CheckedContinuation<Void, Never>]())
      }
      state.isRunning = false
      defer { state.waiters = [] }
      return (nil, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return job
  }

  /// Whether nothing is queued or running.
  var isIdle: Bool { state.withLock { !$0.isRunning } }

  /// Waits until the queue is empty.
  func drain() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        guard state.isRunning else { return true }
        state.waiters.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }
}
