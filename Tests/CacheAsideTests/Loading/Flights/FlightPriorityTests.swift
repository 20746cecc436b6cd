import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightPriorityTests {
  @TaskLocal private static var request = "none"

  let cache = FlightFixture<Int>()

  @Test
  func `F8 the producer sees the leader's task-locals and not a joiner's`() async throws {
    let gate = FlightGate<Int>()
    let seen = Lock<[String]>([])
    let producer: @Sendable () async throws -> Int = {
      seen.withLock { $0.append(Self.request) }
      return try await gate()
    }
    let leader = Self.$request.withValue("leader") { Task { try await cache.get("k", producer) } }
    await until { gate.calls == 1 }
    let joiner = Self.$request.withValue("joiner") { Task { try await cache.get("k", producer) } }
    await cache.waiters(2)
    gate.release(1)
    _ = try await (leader.value, joiner.value)
    #expect(seen.withLock { $0 } == ["leader"])
  }

  @Test
  func `F8 the producer starts at the leader's priority`() async throws {
    for priority in [TaskPriority.background, .medium, .high] {
      let task = Task(priority: priority) {
        try await cache.get("\(priority)") { Int(Task.currentPriority.rawValue) }
      }
      // Polling, and not awaiting the task, keeps its priority what it is.
      let value = Lock<Int?>(nil)
      let watcher = Task(priority: priority) {
        let result = try await task.value
        value.withLock { $0 = result }
      }
      await until { value.withLock { $0 } != nil }
      _ = watcher
      #expect(value.withLock { $0 } == Int(priority.rawValue))
    }
  }

  /// A producer that runs until its priority is high.
  private func startSlowly(_ calls: FlightCalls) -> Task<Int, any Error> {
    Task(priority: .background) {
      try await cache.get("k") {
        #expect(Task.currentPriority == .background)
        calls.next()
        while Task.currentPriority < .high { await Task.yield() }
        return 1
      }
    }
  }

  @Test
  func `F8 a joiner of higher priority raises the producer`() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let calls = FlightCalls()
    let leader = startSlowly(calls)
    await until { calls.count == 1 }
    let joiner = Task(priority: .high) { try await cache.get("k") { 0 } }
    #expect(try await joiner.value == 1)
    _ = try await leader.value
  }

  @Test
  func `F8 a waiter that is raised later raises the producer`() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let calls = FlightCalls()
    let leader = startSlowly(calls)
    await until { calls.count == 1 }
    leader.escalatePriority(to: .high)
    #expect(try await leader.value == 1)
  }
}
