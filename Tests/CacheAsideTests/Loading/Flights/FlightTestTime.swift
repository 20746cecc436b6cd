import Synchronization

@testable import CacheAside

/// A time that moves only when told to.
final class FlightTestTime: TimeProvider {
  private struct State {
    var now: Int64 = 0
    var nextSleeper = 0
    var sleepers: [Int: (deadline: Int64, continuation: CheckedContinuation<Bool, Never>)] = [:]
  }

  private let state = Lock(State())

  var monotonicNanoseconds: Int64 { state.withLock { $0.now } }
  var wallMicroseconds: Int64 { monotonicNanoseconds / 1000 }
  var taskExecutor: (any TaskExecutor)? { nil }
  func beginWork(_ label: String) -> UInt64 { 0 }
  func endWork(_ token: UInt64) {}
  func nextRandom() -> UInt64 { 4 }

  /// How many sleep.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func advance(by duration: Duration) {
    let nanoseconds = duration.components.seconds * 1_000_000_000
    let due = state.withLock { state in
      state.now += nanoseconds
      let now = state.now
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for key in due.keys { state.sleepers[key] = nil }
      return due
    }
    for (_, sleeper) in due { sleeper.continuation.resume(returning: true) }
  }

  func sleep(untilNanoseconds deadline: Int64) async throws {
    let id = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    let isDue = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = Task.isCancelled
        let answer = state.withLock { state -> Bool? in
          if isCancelled { return false }
          if state.now >= deadline { return true }
          state.sleepers[id] = (deadline, continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      sleeper?.continuation.resume(returning: false)
    }
    if !isDue { throw CancellationError() }
  }
}
