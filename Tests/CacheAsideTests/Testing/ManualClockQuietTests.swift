import CacheAside
import Dispatch
import Testing

@testable import CacheAsideTesting

@Suite(.timeLimit(.minutes(60)))
struct ManualClockQuietTests {
  @Test func `run returns the body's value and throws its error`() async throws {
    let clock = ManualClock()
    let value = await clock.run { 42 }
    #expect(value == 42)
    await #expect(throws: CancellationError.self) {
      try await clock.run { throw CancellationError() }
    }
  }

  @Test func `the body, its children and started tasks take turns in order`() async throws {
    let clock = ManualClock()
    let log = EventRecorder<String>()
    await clock.run {
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b", "c"] {
          group.addTask {
            log.record(name)
            await Task.yield()
            log.record(name + "2")
          }
        }
      }
    }
    #expect(log.events == ["a", "b", "c", "a2", "b2", "c2"])
  }

  @Test @MainActor func `a body written on the main actor runs on the executor`() async throws {
    let dog = HandWatchdog()
    let clock = ManualClock(watchdog: dog.watchdog)
    let (started, gate) = (EventRecorder<Bool>(), Gate())
    let observer = Task.detached {
      try await started.waitForCount(1)
      let settled = Task { try await clock.settle() }
      try await dog.bites.waitForCount(1)  // the executor is busy: the body runs there
      gate.open()
      try await settled.value
    }
    await clock.run {
      started.record(true)
      while !gate.isOpen { await Task.yield() }
    }
    try await observer.value
  }

  @Test func `advance inside run waits for all other work`() async throws {
    let clock = ManualClock()
    try await clock.run {
      async let value = { () async throws -> Duration in
        for _ in 0..<10 { await Task.yield() }
        try await clock.sleep(for: .seconds(2))
        for _ in 0..<10 { await Task.yield() }
        return clock.elapsed
      }()
      try await clock.advance(by: .seconds(5))
      #expect(clock.elapsed == .seconds(5))
      #expect(try await value == .seconds(2))
    }
  }

  @Test func `advances that meet move the hands one after the other`() async throws {
    let clock = ManualClock()
    let log = EventRecorder<Duration>()
    clock.startTask {
      try await clock.sleep(for: .seconds(1))
      try await clock.advance(by: .seconds(10))
      log.record(clock.elapsed)
    }
    try await clock.advance(by: .seconds(3))
    try await clock.advance(by: .zero)
    #expect(log.events == [.seconds(13)])
  }

  @Test func `cancellation does not stop an advance`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let task = Task {
      await gate.waitIgnoringCancellation()
      try await clock.advance(by: .seconds(1))
    }
    task.cancel()
    gate.open()
    try await task.value
    #expect(clock.elapsed == .seconds(1))
  }

  @Test func `open work keeps the clock from being quiet until it ends`() async throws {
    let dog = HandWatchdog()
    let clock = ManualClock(watchdog: dog.watchdog)
    let token = clock.beginWork("disk: write")
    #expect(clock.openWork == ["disk: write"])
    let settled = Task { try await clock.settle() }
    try await dog.bites.waitForCount(1)  // a wait that ends at once is not watched
    #expect(dog.stops.events.isEmpty)
    clock.endWork(token)
    clock.endWork(token)
    try await settled.value
    #expect(dog.stops.events.count == 1)
    #expect(clock.openWork.isEmpty)
  }

  @Test func `work handed to another thread is waited for, with what it resumes`() async throws {
    let clock = ManualClock()
    let log = EventRecorder<Duration>()
    for index in 1...3 {
      clock.startTask {
        try await clock.sleep(for: .seconds(index))
        let token = clock.beginWork("thread \(index)")
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            continuation.resume()
            clock.endWork(token)
          }
        }
        log.record(clock.elapsed)
      }
    }
    try await clock.advance(by: .seconds(10))
    #expect(log.events == [.seconds(1), .seconds(2), .seconds(3)])
  }

  @Test func `a thread that is held at a gate does not disturb quiet`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let token = clock.beginWork("held")
    DispatchQueue.global().async {
      gate.waitBlocking(clock: clock)
      clock.endWork(token)
    }
    try await gate.waitForArrivals(1)
    try await clock.advance(by: .seconds(1))
    #expect(clock.openWork == ["held"])
    gate.open()
    try await clock.settle()
    #expect(clock.openWork.isEmpty)
  }

  @Test func `a clock that is dropped goes, its executor with it`() async throws {
    weak var clock: ManualClock?
    weak var executor: ManualExecutor?
    do {
      let kept = ManualClock()
      (clock, executor) = (kept, kept.executor)
      await kept.run { await Task.yield() }
      try await kept.startTask { try await kept.sleep(for: .zero) }.value
      try await kept.advance(by: .seconds(1))
    }
    while executor != nil { await Task.yield() }  // its last job may still be on its way out
    #expect(clock == nil)
  }
}
