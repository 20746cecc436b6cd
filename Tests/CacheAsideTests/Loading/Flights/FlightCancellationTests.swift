import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct FlightCancellationTests {
  let cache = FlightFixture<Int>()

  @Test
  func `F2 the last waiter's leaving cancels the producer once, and a newcomer starts anew`()
    async throws
  {
    let dying = FlightGate<Int>(heedsCancellation: false)
    let tasks = (0..<3).map { _ in Task { try await cache.get("k") { try await dying() } } }
    await cache.waiters(3)
    await until { dying.calls == 1 }
    for task in tasks {
      #expect(dying.cancelled == 0)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(dying.cancelled == 1)
    #expect(cache.table.registrationCount == 0)
    #expect(cache.table.flightCount == 1)

    let gate = FlightGate<Int>()
    let newcomer = Task { try await cache.get("k") { try await gate() } }
    await until { gate.calls == 1 }
    dying.release(1)
    await until { cache.table.flightCount == 1 }
    #expect(cache.peek("k") == nil)
    #expect(cache.table.registrationCount == 1)
    gate.release(2)
    #expect(try await newcomer.value == 2)
    #expect(cache.peek("k") == 2)
    #expect(cache.isQuiet)
  }

  @Test
  func `F2 a caller that is cancelled already throws before it joins or starts`() async {
    let calls = FlightCalls()
    let task = Task {
      await until { Task.isCancelled }
      return try await cache.get("k", whenUnobserved: .finish) { calls.next() }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await until { cache.isQuiet }
    #expect(calls.count == 0)
  }

  @Test
  func `F2 with finish a load goes on without callers, stays joinable and is stored`() async throws
  {
    let gate = FlightGate<Int>()
    let leader = Task { try await cache.get("k", whenUnobserved: .finish) { try await gate() } }
    await until { gate.calls == 1 }
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    #expect(cache.table.waiterCount == 0)
    #expect(gate.cancelled == 0)
    let joiner = Task { try await cache.load("k") { try await gate() } }
    await cache.waiters(1)
    gate.release(3)
    let (output, joined) = try await joiner.value
    #expect(output == 3 && joined)
    #expect(gate.calls == 1)
    #expect(cache.peek("k") == 3)
  }

  @Test
  func `F2 with finish a load that nobody joins again is stored all the same`() async throws {
    let gate = FlightGate<Int>()
    let leader = Task { try await cache.get("k", whenUnobserved: .finish) { try await gate() } }
    await until { gate.calls == 1 }
    leader.cancel()
    _ = await leader.result
    gate.release(3)
    await until { cache.isQuiet }
    #expect(cache.peek("k") == 3)
  }

  @Test
  func `F2 with a limit a load is cancelled when the limit passes without a caller`() async throws {
    let clock = ManualClock()
    let cache = FlightFixture<Int>(time: clock.timeSource)
    let gate = GatedProducer<Int>()
    try await clock.run {
      let leader = clock.startTask {
        try await cache.get("k", whenUnobserved: .finish(within: .seconds(5))) { try await gate() }
      }
      try await clock.settle()
      #expect(gate.calls == 1)
      leader.cancel()
      await #expect(throws: CancellationError.self) { try await leader.value }
      try await clock.advance(by: .milliseconds(4_999))
      #expect(gate.cancellations == 0)
      #expect(cache.table.registrationCount == 1)
      try await clock.advance(by: .milliseconds(1))
      #expect(gate.cancellations == 1)
    }
    #expect(cache.isQuiet)
    #expect(cache.peek("k") == nil)
  }

  @Test
  func `F2 a newcomer within the limit keeps the load, and the next spell counts anew`()
    async throws
  {
    let time = FlightTestTime()
    let cache = FlightFixture<Int>(time: TimeSource(time))
    let gate = FlightGate<Int>()
    let rule = WhenUnobserved.finish(within: .seconds(5))
    let leader = Task { try await cache.get("k", whenUnobserved: rule) { try await gate() } }
    await until { gate.calls == 1 }
    leader.cancel()
    _ = await leader.result
    await until { time.sleeperCount == 1 }
    time.advance(by: .seconds(4))
    let second = Task { try await cache.get("k") { try await gate() } }
    await cache.waiters(1)
    await until { time.sleeperCount == 0 }
    time.advance(by: .seconds(10))
    #expect(gate.cancelled == 0)
    second.cancel()
    _ = await second.result
    await until { time.sleeperCount == 1 }
    time.advance(by: .seconds(4))
    #expect(cache.table.registrationCount == 1)
    let third = Task { try await cache.get("k") { try await gate() } }
    await cache.waiters(1)
    gate.release(6)
    #expect(try await third.value == 6)
    #expect(gate.calls == 1)
    #expect(gate.cancelled == 0)
    await until { time.sleeperCount == 0 }
  }

  @Test
  func `F2 a load that ends in a spell without callers stops its timer`() async {
    let time = FlightTestTime()
    let cache = FlightFixture<Int>(time: TimeSource(time))
    let gate = FlightGate<Int>()
    let rule = WhenUnobserved.finish(within: .seconds(5))
    let leader = Task { try await cache.get("k", whenUnobserved: rule) { try await gate() } }
    await until { gate.calls == 1 }
    leader.cancel()
    _ = await leader.result
    await until { time.sleeperCount == 1 }
    gate.release(1)
    await until { time.sleeperCount == 0 }
    #expect(cache.peek("k") == 1)
    #expect(cache.isQuiet)
  }

  @Test
  func `F2 work that cannot be joined follows the same rules`() async throws {
    let gate = FlightGate<Int>()
    let table = cache.table
    let task = Task {
      try await table.runUnregistered(whenUnobserved: .cancel) { flight in
        #expect(flight.registration.isSuperseded)
        return try await gate()
      }
    }
    await until { gate.calls == 1 }
    #expect(table.registrationCount == 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(gate.cancelled == 1)
    await until { cache.isQuiet }
    #expect(try await table.runUnregistered(whenUnobserved: .finish) { _ in 4 } == 4)
  }

  @Test
  func `B008 every waiter of a thousand flights ends although some are cancelled`() async throws {
    let gate = FlightGate<Int>()
    weak var gone: FlightFixture<Int>?
    do {
      let cache = FlightFixture<Int>()
      gone = cache
      var tasks: [Task<Int, any Error>] = []
      for key in 0..<1_000 {
        for _ in 0..<4 { tasks.append(Task { try await cache.get("\(key)") { try await gate() } }) }
      }
      await cache.waiters(4_000)
      for key in 0..<1_000 { tasks[key * 4 + key % 4].cancel() }
      await cache.waiters(3_000)
      gate.release(1)
      for (index, task) in tasks.enumerated() {
        let isCancelled = index % 4 == (index / 4) % 4
        if isCancelled {
          await #expect(throws: CancellationError.self) { try await task.value }
        } else {
          #expect(try await task.value == 1)
        }
      }
      #expect(cache.isQuiet)
    }
    await until { gone == nil }
    #expect(gate.calls == 1_000)
  }
}
