// When the background work of a store on files happens.
//
// What: a task that sleeps, does one shard, and sleeps again; 256 pauses are one round. It begins
// with the first use and holds no reference to the store while it sleeps. A round in which the store
// was not used doubles the pause of the next, so that an idle store hardly ever wakes the machine;
// the next use brings the first pause back. Called by the disk store.
import Synchronization

final class DiskSweeper: Sendable {
  private enum Phase: UInt8, AtomicRepresentable {
    case idle
    case running
    case slowed
    case stopped
  }

  private let phase = Atomic<Phase>(.idle)
  private let wasUsed = Atomic<Bool>(false)
  private let task = Lock<Task<Void, Never>?>(nil)
  private let pause: Int64

  init(interval: Duration) {
    let seconds = max(1, min(interval.components.seconds, 1_000_000_000))
    pause = seconds * 1_000_000_000 / Int64(DiskLayout.shardCount)
  }

  /// Notes a use.
  ///
  /// - Returns: whether the caller has to call ``start(_:_:)``.
  func noteUse() -> Bool {
    if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .relaxed) }
    let seen = phase.load(ordering: .relaxed)
    guard seen == .idle || seen == .slowed else { return false }
    return phase.compareExchange(
      expected: seen,
      desired: .running,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Ends the rounds for good.
  func stop() {
    phase.store(.stopped, ordering: .releasing)
    task.withLock { $0.take() }?.cancel()
  }

  /// Begins the rounds anew; `tick` does one shard and says whether to go on.
  func start(_ time: TimeSource, _ tick: @escaping @Sendable (Int) async -> Bool) {
    let started = time.startTask(priority: .utility, inheritsContext: false) { [weak self, pause] in
      var pause = pause
      var shard = 0
      while true {
        do { try await time.sleep(nanoseconds: pause) } catch { return }
        guard await tick(shard) else { return }
        shard = (shard + 1) % DiskLayout.shardCount
        if shard == 0 {
          guard let slower = self?.pauseOfNextRound(pause) else { return }
          pause = slower
        }
      }
    }
    let previous = task.withLock { task in
      let previous = task
      task = started
      return previous
    }
    previous?.cancel()
    if phase.load(ordering: .acquiring) == .stopped { started.cancel() }
  }

  private func pauseOfNextRound(_ last: Int64) -> Int64 {
    if wasUsed.exchange(false, ordering: .relaxed) { return pause }
    _ = phase.compareExchange(
      expected: .running,
      desired: .slowed,
      ordering: .acquiringAndReleasing
    )
    return min(last, Int64.max / 4) * 2
  }
}
