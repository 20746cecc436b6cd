import CacheAside
import CacheAsideTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ManualClockTests {
  @Test func `starts in 2030 and moves both hands by the same amount`() async throws {
    let clock = ManualClock()
    #expect(clock.wallMicroseconds == 1_893_456_000_000_000)
    #expect(clock.monotonicNanoseconds > 0)
    let before = clock.monotonicNanoseconds
    try await clock.advance(by: .milliseconds(1_500))
    #expect(clock.monotonicNanoseconds - before == 1_500_000_000)
    #expect(clock.wallMicroseconds == 1_893_456_001_500_000)
    #expect(clock.elapsed == .milliseconds(1_500))
  }

  @Test func `setting the wall leaves the monotonic hand, which then carries both on`() async throws
  {
    let clock = ManualClock()
    try await clock.advance(by: .seconds(1))
    clock.setWall(5)
    #expect(clock.wallMicroseconds == 5)
    #expect(clock.elapsed == .seconds(1))
    try await clock.advance(by: .nanoseconds(1_999))
    #expect(clock.wallMicroseconds == 6)
    clock.setWall(.max)
    try await clock.advance(by: .seconds(1))
    #expect(clock.wallMicroseconds == .max)
  }

  @Test func `a negative or huge advance neither moves back nor overflows`() async throws {
    let clock = ManualClock()
    try await clock.advance(by: .seconds(-5))
    #expect(clock.elapsed == .zero)
    try await clock.advance(by: .seconds(Int64.max))
    #expect(clock.monotonicNanoseconds == .max)
  }

  @Test func `the time source shows the hands exactly`() async throws {
    let clock = ManualClock()
    let time = clock.timeSource
    try await clock.advance(by: .nanoseconds(1))
    #expect(time.isExact)
    #expect(time.coarse == clock.monotonicNanoseconds)
    #expect(time.precise == clock.monotonicNanoseconds)
    #expect(time.wall == clock.wallMicroseconds)
  }

  @Test func `sleepers wake in the order of their deadlines and see exactly them`() async throws {
    let clock = ManualClock()
    let log = EventRecorder<String>()
    for seconds in [3, 1, 2, 9] {
      clock.startTask {
        try await clock.sleep(for: .seconds(seconds))
        log.record("\(seconds) at \(clock.elapsed)")
      }
    }
    try await clock.advance(by: .seconds(5))
    #expect(log.events == ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds"])
    #expect(clock.elapsed == .seconds(5))
    #expect(clock.pendingSleeps == 1)
    try await clock.advance(by: .seconds(4))
    #expect(log.events.last == "9 at 9.0 seconds")
  }

  @Test func `equal deadlines wake in the order of falling asleep, one after the other`()
    async throws
  {
    let clock = ManualClock()
    let log = EventRecorder<String>()
    for name in ["a", "b", "c"] {
      clock.startTask {
        try await clock.sleep(for: .seconds(1))
        log.record(name)
        await Task.yield()
        log.record(name)
      }
    }
    try await clock.advance(by: .seconds(1))
    #expect(log.events == ["a", "a", "b", "b", "c", "c"])
  }

  @Test func `sleeps that begin on the way count too`() async throws {
    let clock = ManualClock()
    let ticks = EventRecorder<Duration>()
    clock.startTask {
      while true {
        try await clock.sleep(for: .milliseconds(400))
        ticks.record(clock.elapsed)
      }
    }
    try await clock.advance(by: .seconds(2))
    #expect(ticks.events == [400, 800, 1_200, 1_600, 2_000].map { .milliseconds($0) })
  }

  @Test func `a passed deadline returns at once`() async throws {
    let clock = ManualClock()
    try await clock.sleep(untilNanoseconds: clock.monotonicNanoseconds)
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.pendingSleeps == 0)
  }

  @Test func `a cancelled sleeper throws at once and leaves nothing behind`() async throws {
    let clock = ManualClock()
    let task = clock.startTask { try await clock.sleep(for: .seconds(1)) }
    try await clock.settle()
    #expect(clock.pendingSleeps == 1)
    task.cancel()
    #expect(clock.pendingSleeps == 0)
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a cancelled task cannot fall asleep, whatever the deadline`() async throws {
    let clock = ManualClock()
    for seconds in [0, 1] {
      let gate = Gate()
      let task = clock.startTask {
        await gate.waitIgnoringCancellation()
        try await clock.sleep(for: .seconds(seconds))
      }
      task.cancel()
      gate.open()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(clock.pendingSleeps == 0)
  }

  @Test func `ten thousand racing cancellations and wakings end every sleep once`() async throws {
    let clock = ManualClock()
    for _ in 0..<50 {
      let tasks = (0..<200).map { index in
        clock.startTask { try await clock.sleep(for: .milliseconds(index % 7)) }
      }
      async let moved: Void = clock.advance(by: .milliseconds(7))
      for task in tasks { task.cancel() }
      try await moved
      for task in tasks { _ = await task.result }
    }
    #expect(clock.pendingSleeps == 0)
  }

  @Test func `after a machine sleep the overdue see the moment of waking`() async throws {
    let clock = ManualClock()
    let log = EventRecorder<String>()
    for seconds in [20, 10, 4_000] {
      clock.startTask {
        try await clock.sleep(for: .seconds(seconds))
        log.record("\(seconds) at \(clock.elapsed), \(clock.wallMicroseconds / 1_000_000)")
      }
    }
    try await clock.sleepMachine(for: .seconds(3_600))
    #expect(log.events == ["10 at 3600.0 seconds, 1893459600", "20 at 3600.0 seconds, 1893459600"])
    #expect(clock.pendingSleeps == 1)
  }

  @Test func `one seed gives one sequence`() {
    let (one, same, other) = (ManualClock(seed: 7), ManualClock(seed: 7), ManualClock(seed: 8))
    let words = (0..<5).map { _ in one.nextRandom() }
    #expect(words == (0..<5).map { _ in same.nextRandom() })
    #expect(words != (0..<5).map { _ in other.nextRandom() })
    #expect(Set(words).count == 5)
  }
}
