// The serial executor of a manual clock, and the place that knows whether anything is going on.
//
// Jobs run in the order in which they were enqueued, one at a time. Quiet means: no job is queued
// or running, and every open work token belongs to a thread that waits at a gate. Those who wait
// for quiet are released one at a time, oldest first; each is given up by a watchdog when quiet
// does not come. No job and no continuation runs under the lock.
//
// Called by `ManualClock` only. The thread is the one that the queue borrows while there is work,
// so an idle executor holds none.
import CacheAside
import Dispatch
import Synchronization

final class ManualExecutor: TaskExecutor {
  private struct Waiter {
    let id: UInt64
    let continuation: CheckedContinuation<Void, any Error>
    var stopWatchdog: (@Sendable () -> Void)?
  }

  private struct State {
    var jobs: [UnownedJob] = []
    /// Jobs that wait, those of the batch in hand included.
    var queued = 0
    /// Whether the queue's thread is at work, or about to be.
    var isDraining = false
    var work: [UInt64: String] = [:]
    var pausedWork = 0
    var lastID: UInt64 = 0
    var waiters: [Waiter] = []

    var isQuiet: Bool { !isDraining && work.count <= pausedWork }

    mutating func nextID() -> UInt64 {
      lastID += 1
      return lastID
    }
  }

  private let state = Lock(State())
  private let queue = DispatchQueue(label: "CacheAsideTesting.ManualClock")
  private let watchdog: Watchdog

  init(watchdog: Watchdog) { self.watchdog = watchdog }

  var queuedJobs: Int { state.withLock { $0.queued } }

  var openWork: [String] {
    state.withLock { state in state.work.sorted { $0.key < $1.key }.map(\.value) }
  }

  // MARK: Jobs

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      state.queued += 1
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if mustStart { queue.async { self.drain() } }
  }

  private func drain() {
    while let batch = nextBatch() {
      for job in batch {
        state.withLock { $0.queued -= 1 }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
    releaseWaiters()
  }

  private func nextBatch() -> [UnownedJob]? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isDraining = false
        return nil
      }
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  // MARK: Work outside the executor

  func beginWork(_ label: String) -> UInt64 {
    state.withLock { state in
      let token = state.nextID()
      state.work[token] = label
      return token
    }
  }

  func endWork(_ token: UInt64) {
    state.withLock { _ = $0.work.removeValue(forKey: token) }
    releaseWaiters()
  }

  /// A thread that holds a work token waits; the token does not disturb quiet meanwhile.
  func beginPause() {
    state.withLock { $0.pausedWork += 1 }
    releaseWaiters()
  }

  /// The wait is over: called by whoever ends it, before the thread goes on.
  func endPause() { state.withLock { $0.pausedWork -= 1 } }

  // MARK: Quiet

  func waitUntilQuiet() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let id = state.withLock { state in
        let id = state.nextID()
        state.waiters.append(Waiter(id: id, continuation: continuation))
        return id
      }
      releaseWaiters()
      watch(id)
    }
  }

  private func releaseWaiters() {
    while let waiter = state.withLock({ state in
      state.isQuiet && !state.waiters.isEmpty ? state.waiters.removeFirst() : nil
    }) {
      waiter.stopWatchdog?()
      waiter.continuation.resume()
    }
  }

  private func watch(_ id: UInt64) {
    guard state.withLock({ $0.waiters.contains { $0.id == id } }) else { return }
    let stop = watchdog.start { [weak self] in self?.giveUp(id) }
    let isWaiting = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return false }
      state.waiters[index].stopWatchdog = stop
      return true
    }
    if !isWaiting { stop() }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    guard let waiter else { return }
    waiter.stopWatchdog?()
    waiter.continuation.resume(
      throwing: ManualClock.Stalled(openWork: openWork, queuedJobs: queuedJobs)
    )
  }
}
