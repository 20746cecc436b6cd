// A few threads for calls that block, so that they never hold up the cooperative pool.
//
// What: a queue of work and at most `width` runners that drain it, each on a thread of a Dispatch
// queue of its own. Invariants: a runner is started when work arrives and fewer than `width` run; a
// runner ends when the queue is empty, so nothing waits in a thread and an idle instance holds none.
// Work runs outside the lock, in the order in which it came. Called by stores on files.
import Dispatch
import Synchronization

final class BlockingThreads: Sendable {
  private struct State {
    var queue = FIFOQueue<@Sendable () -> Void>()
    var runners = 0
  }

  private let state = Lock(State())
  private let dispatchQueue: DispatchQueue
  private let width: Int
  private let label: String

  /// Makes the threads; none runs until there is work.
  init(label: String, width: Int) {
    self.label = label
    self.width = width
    dispatchQueue = DispatchQueue(label: label, attributes: .concurrent)
  }

  /// Runs work on one of the threads; a cancelled caller still waits for it.
  ///
  /// The provider of `time` knows of the work until its caller resumes, and its executor, if it has
  /// one, from before this suspends.
  func run<Result: Sendable>(
    _ time: TimeSource,
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      guard let provider = time.provider, let executor = provider.taskExecutor else {
        return start(time.provider, continuation, work)
      }
      // In a turn of the executor, which comes when the caller has suspended: so the caller never
      // goes on without a turn of its own, however fast the thread is.
      Task(executorPreference: executor) { self.start(provider, continuation, work) }
    }
  }

  private func start<Result: Sendable>(
    _ provider: (any TimeProvider)?,
    _ continuation: CheckedContinuation<Result, any Error>,
    _ work: @escaping @Sendable () throws -> Result
  ) {
    let token = provider?.beginWork(label)
    enqueue {
      continuation.resume(with: Swift.Result { try work() })
      if let token { provider?.endWork(token) }
    }
  }

  private func enqueue(_ work: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.queue.append(work)
      guard state.runners < width else { return false }
      state.runners += 1
      return true
    }
    guard starts else { return }
    dispatchQueue.async { [self] in drain() }
  }

  private func drain() {
    while let work = state.withLock({ state in
      let work = state.queue.popFirst()
      if work == nil { state.runners -= 1 }
      return work
    }) {
      work()
    }
  }
}
