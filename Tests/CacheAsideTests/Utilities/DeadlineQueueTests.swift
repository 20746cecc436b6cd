import Synchronization
import Testing

@testable import CacheAside
@testable import CacheAsideTesting

@Suite(.timeLimit(.minutes(60)))
struct DeadlineQueueTests {
  private let clock = ManualClock()
  private var time: TimeSource { clock.timeSource }
  private let told = EventRecorder<String>()

  private func moment(_ milliseconds: Int64) -> Int64 {
    clock.monotonicNanoseconds + milliseconds * 1_000_000
  }

  private func call(after milliseconds: Int64, _ name: String) -> Deadline {
    let (clock, told) = (clock, told)
    return time.call(at: moment(milliseconds)) {
      told.record("\(name) at \(clock.elapsed / .milliseconds(1))")
    }
  }

  @Test func `deadlines come at their moments, in order, and equal ones first come first`()
    async throws
  {
    for (name, milliseconds) in [("c", 30), ("a", 10), ("d", 30), ("b", 20), ("e", 30)] {
      _ = call(after: Int64(milliseconds), name)
    }
    try await clock.advance(by: .milliseconds(29))
    #expect(told.events == ["a at 10.0", "b at 20.0"])
    try await clock.advance(by: .milliseconds(1))
    #expect(told.events.dropFirst(2) == ["c at 30.0", "d at 30.0", "e at 30.0"])
    #expect(clock.pendingSleeps == 0)
  }

  @Test func `a deadline that is cancelled does not come and leaves nothing`() async throws {
    weak var captured: Token?
    let deadlines = [10, 20, 30].map { (milliseconds: Int64) in
      let token = Token()
      captured = token
      return time.call(at: moment(milliseconds)) { [told] in
        withExtendedLifetime(token) { told.record("\(milliseconds)") }
      }
    }
    #expect(captured != nil)
    try await clock.settle()
    #expect(clock.pendingSleeps == 1)
    for deadline in deadlines {
      deadline.cancel()
      deadline.cancel()
    }
    try await clock.settle()
    #expect(clock.pendingSleeps == 0)
    try await clock.advance(by: .seconds(1))
    #expect(told.events.isEmpty)
    #expect(captured == nil)
  }

  @Test func `the clocks of caches have one queue each, which goes with its deadlines`()
    async throws
  {
    weak var queue = DeadlineQueue.of(clock)
    #expect(queue == nil)
    let deadline = call(after: 10, "a")
    queue = DeadlineQueue.of(clock)
    #expect(queue === DeadlineQueue.of(time.provider))
    #expect(queue !== DeadlineQueue.of(ManualClock()))
    deadline.cancel()
    try await clock.settle()
    #expect(DeadlineQueue.of(nil) === DeadlineQueue.system)
  }

  @Test func `on the system's clock few sleep, however the deadlines come (B405)`() async throws {
    let queue = DeadlineQueue.system
    let start = TimeSource.system.precise
    // Each comes before all others: the worst order.
    let deadlines = (0..<5_000).map { number in
      queue.add(at: start + Int64(900 - number / 10) * 1_000_000_000) {}
    }
    #expect(queue.count >= 5_000)
    #expect(queue.sleeperCount <= 64)
    for deadline in deadlines { deadline.cancel() }
    for deadline in deadlines { #expect(deadline.position.load(ordering: .relaxed) < 0) }
  }

  @Test
  func
    `a sleep on the system's clock ends at its moment, and leaves no deadline when it is cancelled`()
    async throws
  {
    let moment = TimeSource.system.precise + 2_000_000
    try await TimeSource.system.sleep(untilNanoseconds: moment)
    #expect(TimeSource.system.precise >= moment)
    let sleeper = Task { try await TimeSource.system.sleep(nanoseconds: 3_600_000_000_000) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func `a queue that ends while the next of its clock ends does not wait for itself`() async {
    let clock = clock
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask { for _ in 0..<200_000 { _ = DeadlineQueue.of(clock) } }
      }
    }
    weak let queue = DeadlineQueue.of(clock)
    #expect(queue == nil)
  }

  @Test func `what a deadline alone held may cancel others when it ends`() async throws {
    let others = [20, 30, 40].map { call(after: $0, "other at \($0)") }
    // One that is cancelled, and one that comes.
    let cancelled = time.call(at: moment(50)) { [held = Canceller(others[0])] in _ = held }
    _ = time.call(at: moment(10)) { [held = Canceller(others[1])] in _ = held }
    cancelled.cancel()
    #expect(others[0].position.load(ordering: .relaxed) < 0)
    try await clock.advance(by: .milliseconds(15))
    #expect(others[1].position.load(ordering: .relaxed) < 0)
    try await clock.advance(by: .seconds(1))
    #expect(told.events == ["other at 40 at 40.0"])
    #expect(clock.pendingSleeps == 0)
  }

  private final class Token: Sendable {}

  /// Cancels a deadline when it ends.
  private final class Canceller: Sendable {
    let deadline: Deadline
    init(_ deadline: Deadline) { self.deadline = deadline }
    deinit { deadline.cancel() }
  }
}
