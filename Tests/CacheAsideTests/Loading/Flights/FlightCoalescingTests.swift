import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightCoalescingTests {
  let cache = FlightFixture<Int>()

  @Test
  func `B001 a load that fails before its first suspension leaves the key free`() async throws {
    await #expect(throws: FlightTestError.boom) {
      try await cache.get("k") { throw FlightTestError.boom }
    }
    #expect(cache.isQuiet)
    #expect(try await cache.get("k") { 7 } == 7)
    #expect(cache.isQuiet)
  }

  @Test
  func `B002 F2 one waiter's cancellation neither ends nor duplicates the run`() async throws {
    let gate = FlightGate<Int>()
    let first = Task { try await cache.get("k") { try await gate() } }
    await until { gate.calls == 1 }
    let others = (0..<2).map { _ in Task { try await cache.get("k") { try await gate() } } }
    await cache.waiters(3)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let late = Task { try await cache.get("k") { try await gate() } }
    await cache.waiters(3)
    gate.release(1)
    for task in others + [late] { #expect(try await task.value == 1) }
    #expect(gate.calls == 1)
    #expect(gate.cancelled == 0)
    #expect(cache.isQuiet)
  }

  @Test
  func `B003 F3 all callers of a failing run get its error, and the next one runs again`()
    async throws
  {
    let gate = FlightGate<Int>()
    let tasks = (0..<10).map { _ in Task { try await cache.get("k") { try await gate() } } }
    await cache.waiters(10)
    gate.fail(FlightTestError.boom)
    for task in tasks {
      await #expect(throws: FlightTestError.boom) { try await task.value }
    }
    #expect(gate.calls == 1)
    #expect(cache.peek("k") == nil)
    #expect(try await cache.get("k") { 3 } == 3)
    #expect(cache.isQuiet)
  }

  @Test
  func `B004 the leader's cancellation reaches neither joiners nor the cache`() async throws {
    let gate = FlightGate<Int>()
    let leader = Task { try await cache.get("k") { try await gate() } }
    await until { gate.calls == 1 }
    let joiner = Task { try await cache.get("k") { try await gate() } }
    await cache.waiters(2)
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    gate.release(5)
    #expect(try await joiner.value == 5)
    #expect(try await cache.get("k") { try await gate() } == 5)
    #expect(gate.calls == 1)
  }

  @Test
  func `B007 a slow load holds up no other key`() async throws {
    let gate = FlightGate<Int>()
    let slow = Task { try await cache.get("slow") { try await gate() } }
    await until { gate.calls == 1 }
    for index in 0..<64 { #expect(try await cache.get("fast \(index)") { index } == index) }
    gate.release(1)
    #expect(try await slow.value == 1)
  }

  @Test
  func `B010 F5 a caller that retries in its catch never meets the failed flight`() async throws {
    for index in 0..<1_000 {
      let calls = FlightCalls()
      let producer: @Sendable () async throws -> Int = {
        if calls.next() == 1 { throw FlightTestError.boom }
        return 9
      }
      let callers = (0..<2).map { _ in
        Task {
          do { return try await cache.get("\(index)", producer) } catch {
            return try await cache.get("\(index)", producer)
          }
        }
      }
      for caller in callers { #expect(try await caller.value == 9) }
      #expect(calls.count == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test
  func `F1 a thousand callers of one missing key cost one run`() async throws {
    let gate = FlightGate<Int>()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1_000 { group.addTask { try await cache.get("k") { try await gate() } } }
      await cache.waiters(1_000)
      #expect(cache.table.registrationCount == 1)
      gate.release(42)
      for try await value in group { #expect(value == 42) }
    }
    #expect(gate.calls == 1)
  }

  @Test
  func `F1 a new flight looks into memory once more before it starts`() async throws {
    let result = try await cache.table.load(
      "k",
      hash: 1,
      whenUnobserved: .cancel,
      probe: { 8 },
      run: { _ in throw FlightTestError.boom }
    )
    #expect(result.output == 8)
    #expect(!result.joined)
    #expect(cache.isQuiet)
  }

  @Test
  func `F1 what the second look finds also releases those who joined meanwhile`() async throws {
    let told = Lock<[Int]>([])
    let result = try await cache.table.load(
      "k",
      hash: UInt64(bitPattern: Int64("k".hashValue)),
      whenUnobserved: .cancel,
      probe: {
        cache.getCallback("k", start: { _ in Issue.record("it joins") }) { result, joined in
          #expect(joined)
          told.withLock { $0.append((try? result.get()) ?? 0) }
        }
        return 8
      },
      run: { _ in throw FlightTestError.boom }
    )
    #expect(result.output == 8)
    #expect(told.withLock { $0 } == [8])
    #expect(cache.isQuiet)
  }
}
