import Synchronization

/// Work that synchronous calls left for a tier whose store suspends; runs in order, one at a time.
final class TierQueue: Sendable {
  private typealias Job = @Sendable () async -> Void

  private struct Waiter {
    /// How many jobs have to be done.
    let count: Int
    let isDone: @Sendable () -> Void
  }

  private struct State {
    var jobs = FIFOQueue<Job>()
    var isRunning = false
    var added = 0
    var done = 0
    /// Ordered by the jobs that they wait for.
    var waiters = FIFOQueue<Waiter>()
  }

  private let state = Lock(State())

  /// Queues a job; `time` starts the task that runs the queue.
  func add(_ time: TimeSource, _ job: @escaping @Sendable () async -> Void) {
    let starts = state.withLock { state in
      state.jobs.append(job)
      state.added += 1
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    time.startTask(inheritsContext: false) { [self] in
      while let job = next() {
        await job()
        state.withLock { $0.done += 1 }
        while let waiter = readyWaiter() { waiter.isDone() }
      }
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      let job = state.jobs.popFirst()
      if job == nil { state.isRunning = false }
      return job
    }
  }

  private func readyWaiter() -> Waiter? {
    state.withLock { state in
      guard let waiter = state.waiters.first, waiter.count <= state.done else { return nil }
      return state.waiters.popFirst()
    }
  }

  /// Whether nothing is queued or running.
  var isIdle: Bool { state.withLock { $0.done == $0.added } }

  /// How many wait for jobs.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Waits until everything that is queued now is done, however much is queued after it.
  func drain() async {
    await withCheckedContinuation { continuation in whenDrained { continuation.resume() } }
  }

  /// The same for an operation, which stops waiting when it is given up.
  func drain(for operation: TierOperation) async throws {
    if isIdle { return }
    try await operation.wait { (promise: TierPromise<Void>) in
      whenDrained { promise.finish(.success(())) }
    }
  }

  private func whenDrained(_ isDone: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      if state.done == state.added { return true }
      state.waiters.append(Waiter(count: state.added, isDone: isDone))
      return false
    }
    if isIdle { isDone() }
  }
}
