// The serial executor of a manual clock, and the place that knows whether anything is going on.
//
// Jobs run in the order in which they were enqueued, one at a time, and none begins while a thread
// has work open that does not wait at a gate: what the thread enqueues at its end so comes behind
// what was enqueued before it began, however fast it is, and the order of everything is that of the
// jobs alone. Quiet means: no job is queued or running, and no such work is open. Those who wait
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
    /// How often the watchdog barked, and how far all had moved when it was last started.
    var barks = 0
    var steps: UInt64 = 0
  }

  private struct State {
    var jobs: [UnownedJob] = []
    /// How many of the jobs were taken out at the front already.
    var taken = 0
    /// Whether the queue's thread is at work, or about to be.
    var isDraining = false
    var work: [UInt64: String] = [:]
    /// Work that a wait for quiet gave up on: jobs run beside it, so that the wait can say so.
    var hopelessWork: Set<UInt64> = []
    var pausedWork = 0
    var lastID: UInt64 = 0
    var waiters: [Waiter] = []
    /// The jobs that ran and the work that ended.
    var steps: UInt64 = 0

    /// Whether no thread is at work that could enqueue something.
    var mayRun: Bool { work.count - hopelessWork.count <= pausedWork }

    var queued: Int { jobs.count - taken }

    var isQuiet: Bool { !isDraining && queued == 0 && work.count <= pausedWork }

    /// Whether somebody has to begin running jobs; notes that it does.
    mutating func starts() -> Bool {
      guard !isDraining, queued > 0, mayRun else { return false }
      isDraining = true
      return true
    }

    mutating func nextJob() -> UnownedJob? {
      guard queued > 0, mayRun else {
        isDraining = false
        return nil
      }
      let job = jobs[taken]
      taken += 1
      steps += 1
      // Amortised: what is moved is no more than what was taken.
      if taken * 2 >= jobs.count {
        jobs.removeFirst(taken)
        taken = 0
      }
      return job
    }

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
    change { $0.jobs.append(job) }
  }

  private func change(_ body: (inout State) -> Void) {
    let mustStart = state.withLock { state in
      body(&state)
      return state.starts()
    }
    if mustStart { queue.async { self.drain() } }
  }

  private func drain() {
    while let job = state.withLock({ $0.nextJob() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    releaseWaiters()
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
    change { state in
      state.work[token] = nil
      state.steps += 1
      state.hopelessWork.remove(token)
    }
    releaseWaiters()
  }

  /// A thread that holds a work token waits; the token does not disturb quiet meanwhile.
  func beginPause() {
    change { $0.pausedWork += 1 }
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
    let isWatched = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return false }
      state.waiters[index].steps = state.steps
      return true
    }
    guard isWatched else { return }
    let stop = watchdog.start { [weak self] in self?.bark(id) }
    let isWaiting = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return false }
      state.waiters[index].stopWatchdog = stop
      return true
    }
    if !isWaiting { stop() }
  }

  private func bark(_ id: UInt64) {
    let bites = state.withLock { state -> Bool? in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
      state.waiters[index].barks += 1
      let waiter = state.waiters[index]
      return waiter.barks >= watchdog.lastBark || waiter.steps == state.steps
    }
    switch bites {
    case true?: giveUp(id)
    case false?: watch(id)
    case nil: break
    }
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    guard let waiter else { return }
    waiter.stopWatchdog?()
    let stalled = ManualClock.Stalled(openWork: openWork, queuedJobs: queuedJobs)
    change { $0.hopelessWork = Set($0.work.keys) }
    waiter.continuation.resume(throwing: stalled)
  }
}
