import Synchronization

@testable import CacheAside

/// A clock for the disk store's tests: both hands stand still until they are moved.
final class DiskClock: TimeProvider {
  private struct Sleeper {
    var deadline: Int64
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var monotonic: Int64 = 1_000_000_000
    var wall: Int64
    var sleepers: [UInt64: Sleeper] = [:]
    var cancelled: Set<UInt64> = []
    var observers: [CheckedContinuation<Void, Never>] = []
    var nextToken: UInt64 = 0
    var work = 0
    var random: UInt64 = 7
  }

  private let state: Lock<State>

  /// Starts at a moment: microseconds since 1970, by default 2030-01-01.
  init(wall: Int64 = 1_893_456_000_000_000) { state = Lock(State(wall: wall)) }

  var monotonicNanoseconds: Int64 { state.withLock { $0.monotonic } }
  var wallMicroseconds: Int64 { state.withLock { $0.wall } }
  var taskExecutor: (any TaskExecutor)? { nil }
  var source: TimeSource { TimeSource(self) }

  /// How much work outside the executor is going on.
  var work: Int { state.withLock { $0.work } }

  /// How many tasks sleep.
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// The earliest moment a task sleeps for, from now, in nanoseconds.
  var nextPause: Int64? {
    state.withLock { state in state.sleepers.values.map { $0.deadline - state.monotonic }.min() }
  }

  func advance(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let due = state.withLock { state in
      state.monotonic += nanoseconds
      state.wall += nanoseconds / 1_000
      let due = state.sleepers.filter { $0.value.deadline <= state.monotonic }
      for token in due.keys { state.sleepers[token] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Suspends until some task sleeps.
  func untilSomebodySleeps() async {
    await withCheckedContinuation { continuation in
      let isSleeping = state.withLock { state in
        if state.sleepers.isEmpty { state.observers.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isSleeping { continuation.resume() }
    }
  }

  func sleep(untilNanoseconds deadline: Int64) async throws {
    let token = state.withLock { state in
      state.nextToken += 1
      return state.nextToken
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, isDue, observers) = state.withLock { state in
          if state.cancelled.remove(token) != nil {
            return (true, false, [CheckedContinuation<Void, Never>]())
          }
          if deadline <= state.monotonic { return (false, true, []) }
          state.sleepers[token] = Sleeper(deadline: deadline, continuation: continuation)
          let observers = state.observers
          state.observers = []
          return (false, false, observers)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        if isDue { continuation.resume() }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: token)
        if sleeper == nil { state.cancelled.insert(token) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  func beginWork(_ label: String) -> UInt64 {
    state.withLock { state in
      state.work += 1
      state.nextToken += 1
      return state.nextToken
    }
  }

  func endWork(_ token: UInt64) { state.withLock { $0.work -= 1 } }

  func nextRandom() -> UInt64 {
    state.withLock { state in
      state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state.random
    }
  }
}
