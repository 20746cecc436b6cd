import CacheAsideTesting
import Testing

@testable import CacheAside

/// The clock behind the `TimeSource` that the engine and the stores use.
@Suite(.timeLimit(.minutes(60)))
struct ManualClockTimeSourceTests {
  private enum Scope { @TaskLocal static var name = "none" }

  @Test func `tasks started by the source are waited for, with or without context`() async throws {
    let clock = ManualClock()
    let time = clock.timeSource
    let log = EventRecorder<String>()
    try await clock.run {
      Scope.$name.withValue("request") {
        for inheritsContext in [true, false] {
          time.startTask(inheritsContext: inheritsContext) {
            for _ in 0..<20 { await Task.yield() }
            log.record(Scope.name)
          }
        }
      }
      try await clock.settle()
      #expect(log.events == ["request", "none"])
    }
  }

  @Test func `sleeps of the source end on the clock`() async throws {
    let clock = ManualClock()
    let time = clock.timeSource
    let log = EventRecorder<Int64>()
    let start = time.precise
    let sleeper = time.startTask {
      do { try await time.sleep(untilNanoseconds: start + 5) } catch { log.record(-1) }
      log.record(time.coarse - start)
    }
    try await clock.advance(by: .nanoseconds(4))
    #expect(log.events.isEmpty)
    try await clock.advance(by: .nanoseconds(4))
    #expect(log.events == [5])
    await sleeper.value
  }

  @Test(arguments: [TimeSource.system, ManualClock().timeSource])
  func `a moment before all time has passed`(time: TimeSource) async throws {
    try await time.sleep(untilNanoseconds: .min)
  }

  @Test func `a sleep beyond the end of time ends at once`() async throws {
    await #expect(throws: CancellationError.self) {
      try await ManualClock().timeSource.sleep(nanoseconds: .max)
    }
  }

  @Test func `randomness comes from the clock's sequence`() {
    #expect(ManualClock().timeSource.random() == ManualClock().nextRandom())
  }
}
