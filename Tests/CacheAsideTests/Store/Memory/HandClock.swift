import CacheAside
import Synchronization

/// A time provider whose hand is moved by the test and that counts how often it is read.
final class HandClock: TimeProvider {
  private let nanoseconds: Atomic<Int64>
  private let readings = Atomic<Int>(0)

  init(seconds: Int64 = 1_000_000) { nanoseconds = Atomic(seconds * 1_000_000_000) }

  var source: TimeSource { TimeSource(self) }
  var now: Int64 { nanoseconds.load(ordering: .relaxed) }
  var timesRead: Int { readings.load(ordering: .relaxed) }

  func advance(milliseconds: Int64) {
    nanoseconds.wrappingAdd(milliseconds * 1_000_000, ordering: .relaxed)
  }

  func after(milliseconds: Int64) -> Int64 { now + milliseconds * 1_000_000 }

  var monotonicNanoseconds: Int64 {
    readings.wrappingAdd(1, ordering: .relaxed)
    return now
  }

  var wallMicroseconds: Int64 { now / 1_000 }
  var taskExecutor: (any TaskExecutor)? { nil }
  func sleep(untilNanoseconds deadline: Int64) async throws { throw CancellationError() }
  func beginWork(_ label: String) -> UInt64 { 0 }
  func endWork(_ token: UInt64) {}
  func nextRandom() -> UInt64 { 0x9E37_79B9_7F4A_7C15 }
}
