import Synchronization

@testable import CacheAside

/// Keeps the work of tasks until it is told to run it: a task that only shows whether it was
/// cancelled needs no thread.
final class IdleExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs what has come together, so that nothing of it is left.
  func drain() {
    let jobs = jobs.withLock { jobs in
      let taken = jobs
      jobs = []
      return taken
    }
    for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
