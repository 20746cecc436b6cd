import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Runs what it is given at once, on the thread that gives it.
private final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// A clock that stands still and whose tasks run at once on the thread that starts them.
private final class InlineTime: TimeProvider {
  private let executor = InlineExecutor()
  private let end = Gate()
  var monotonicNanoseconds: Int64 { 1_000_000_000 }
  var wallMicroseconds: Int64 { 1_893_456_000_000_000 }
  var taskExecutor: (any TaskExecutor)? { executor }

  func sleep(untilNanoseconds deadline: Int64) async throws {
    if deadline > monotonicNanoseconds { try await end.wait() }
  }

  func beginWork(_ label: String) -> UInt64 { 0 }
  func endWork(_ token: UInt64) {}
  func nextRandom() -> UInt64 { 7 }
}

@Suite(.timeLimit(.minutes(60)))
struct CallbackPatienceTests {
  @Test func `T4 F9 a leader whose time is up before it waits runs its block all the same`() throws
  {
    var policy = CachePolicy()
    policy.hardTimeout = .zero
    let cache = try Cache<String, Int>(
      name: "f",
      policy: policy,
      time: TimeSource(InlineTime())
    ) {
      Memory(.count(10))
    }
    let runs = Atomic<Int>(0)
    let results = EventRecorder<Int?>()
    for _ in 0..<2 {
      cache.load(
        "k",
        block: { success, _ in
          runs.add(1, ordering: .relaxed)
          success(1, .never)
        },
        completion: { results.record(try? $0.get().value) }
      )
    }
    #expect(results.events == [nil, 1])
    #expect(runs.load(ordering: .relaxed) == 1)
    #expect(cache.isQuiet)
  }
}
