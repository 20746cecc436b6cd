// Counts pieces of work that have begun and not ended, refuses new ones once it is closed, and tells
// when the last has ended.
//
// Invariants: a piece counts before it looks whether the gate is closed, and the gate is closed before
// it looks at the count, so that no piece is missed by both; a refused one is taken back at once.
// Nothing resumes under the lock. Called by the feature for its verbs and by the disk store for what
// it does in the background.
import Synchronization

final class WorkGate: Sendable {
  private let count = Atomic<Int>(0)
  private let closed = Atomic<Bool>(false)
  private let waiters = Lock<[CheckedContinuation<Void, Never>]>([])
  private let isGivenUp = Atomic<Bool>(false)

  /// Whether nothing begins any more.
  var isClosed: Bool { closed.load(ordering: .sequentiallyConsistent) }

  /// Begins a piece of work, which has to be ended.
  ///
  /// - Returns: `false` when the gate is closed and nothing has begun.
  func begin() -> Bool {
    count.add(1, ordering: .sequentiallyConsistent)
    guard isClosed else { return true }
    end()
    return false
  }

  /// Ends a piece of work.
  func end() {
    let left = count.subtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0, isClosed { wake() }
  }

  /// Refuses new work from now on.
  func close() { closed.store(true, ordering: .sequentiallyConsistent) }

  /// Refuses new work and waits until all that has begun has ended.
  ///
  /// - Parameters:
  ///   - limit: after how many nanoseconds the wait is given up; `nil` for never.
  ///   - time: the clock of the limit.
  /// - Returns: whether all has ended.
  func finish(within limit: Int64? = nil, _ time: TimeSource) async -> Bool {
    close()
    let timer = limit.map { limit in
      time.startTask(inheritsContext: false) { [self, time] in
        do { try await time.sleep(nanoseconds: limit) } catch { return }
        isGivenUp.store(true, ordering: .sequentiallyConsistent)
        wake()
      }
    }
    await withCheckedContinuation { continuation in
      waiters.withLock { $0.append(continuation) }
      if isDone || isGivenUp.load(ordering: .sequentiallyConsistent) { wake() }
    }
    timer?.cancel()
    return isDone
  }

  private var isDone: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  private func wake() {
    let woken = waiters.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for waiter in woken { waiter.resume() }
  }
}
