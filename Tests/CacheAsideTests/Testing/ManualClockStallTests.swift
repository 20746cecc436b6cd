import Dispatch
import Testing

@testable import CacheAsideTesting

@Suite(.timeLimit(.minutes(60)))
struct ManualClockStallTests {
  @Test func `an advance that waits in vain names what is open and leaves the hands`() async throws
  {
    let dog = HandWatchdog()
    let clock = ManualClock(watchdog: dog.watchdog)
    let log = EventRecorder<String>()
    clock.startTask {
      try await clock.sleep(for: .seconds(1))
      _ = clock.beginWork("disk: users/42")
      _ = clock.beginWork("redis: GET")
      log.record("began")
    }
    // On the executor, so that it is watched before the sleeper that it wakes runs.
    let advance = clock.startTask { try await clock.advance(by: .seconds(5)) }
    try await log.waitForCount(1)
    dog.bites.events.last?()
    let error = await #expect(throws: ManualClock.Stalled.self) { try await advance.value }
    #expect(error?.openWork == ["disk: users/42", "redis: GET"])
    #expect(error?.queuedJobs == 0)
    #expect(error?.description.contains("open work: disk: users/42, redis: GET") == true)
    #expect(clock.elapsed == .seconds(1))
  }

  @Test func `a task that never rests stalls the clock, and the hands stay free`() async throws {
    let dog = HandWatchdog()
    let clock = ManualClock(watchdog: dog.watchdog)
    let gate = Gate()
    let restless = clock.startTask { while !gate.isOpen { await Task.yield() } }
    let advance = clock.startTask { try await clock.advance(by: .seconds(5)) }
    try await dog.bites.waitForCount(1)
    dog.bites.events.last?()
    await #expect(throws: ManualClock.Stalled.self) { try await advance.value }
    #expect(clock.elapsed == .zero)
    gate.open()
    try await restless.value
    try await clock.advance(by: .seconds(5))
    #expect(clock.elapsed == .seconds(5))
  }

  @Test func `a clock that gets on slowly is not given up, one that stands still is`() async throws
  {
    let dog = HandWatchdog()
    let clock = ManualClock(watchdog: dog.watchdog(lastBark: 100))
    let work = [clock.beginWork("a"), clock.beginWork("b"), clock.beginWork("c")]
    let settled = Task { try await clock.settle() }
    try await dog.bites.waitForCount(1)
    clock.endWork(work[0])
    dog.bites.events.last?()
    try await dog.bites.waitForCount(2)  // it moved: watched again
    clock.endWork(work[1])
    dog.bites.events.last?()
    try await dog.bites.waitForCount(3)
    dog.bites.events.last?()
    let error = await #expect(throws: ManualClock.Stalled.self) { try await settled.value }
    #expect(error?.openWork == ["c"])
  }

  @Test func `what moves for ever is given up at the last bark`() async throws {
    let dog = HandWatchdog()
    let clock = ManualClock(watchdog: dog.watchdog(lastBark: 3))
    let work = (0..<4).map { clock.beginWork("\($0)") }
    let settled = Task { try await clock.settle() }
    for bark in 1...3 {
      try await dog.bites.waitForCount(bark)
      clock.endWork(work[bark - 1])
      dog.bites.events.last?()
    }
    let error = await #expect(throws: ManualClock.Stalled.self) { try await settled.value }
    #expect(error?.openWork == ["3"])
  }

  @Test func `a late bark hurts nobody`() async throws {
    let dog = HandWatchdog()
    let clock = ManualClock(watchdog: dog.watchdog)
    try await clock.run {
      async let other: Void = Task.yield()
      try await clock.settle()
      await other
    }
    #expect(dog.bites.events.count == dog.stops.events.count)
    for bark in dog.bites.events { bark() }
    try await clock.advance(by: .seconds(1))
  }

  @Test func `the real watchdog can be stopped before it barks`() {
    let barks = EventRecorder<Bool>()
    for _ in 0..<100 { Watchdog.real.start { barks.record(true) }() }
    #expect(barks.events.isEmpty)
  }

  @Test func `a real watchdog barks in the end`() async throws {
    let clock = ManualClock(watchdog: .after(.nanoseconds(1)))
    let token = clock.beginWork("for ever")
    await #expect(throws: ManualClock.Stalled.self) { try await clock.settle() }
    clock.endWork(token)
    try await clock.settle()
  }
}
