import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Loads in the queue of a bulkhead that producers with its places wait for.
@Suite(.timeLimit(.minutes(60)))
struct BulkheadWaitTests {
  private let fixture: CacheFixture
  private let clock: ManualClock

  init() throws {
    fixture = try CacheFixture(.memory)
    clock = fixture.clock
  }

  private func open(_ limit: Int) throws -> Cache<String, Int> {
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = limit
    return try fixture.open(policy: policy)
  }

  @Test func `F7 a load passes when a producer that has the only place joins it`() async throws {
    let cache = try open(1)
    let gate = Gate()
    try await clock.run {
      let first = clock.startTask {
        try await cache.cached("a") { () async throws -> Int in
          try await gate.wait()
          return try await cache.cached("b") { () async throws -> Int in 1 } + 1
        }
      }
      try await clock.settle()
      let second = clock.startTask { try await cache.cached("b") { () async throws -> Int in 2 } }
      try await clock.settle()
      #expect(cache.core.bulkhead?.waitingCount == 1)
      gate.open()
      try await clock.settle()
      #expect(cache.flights.waiterCount == 0)
      #expect(try await first.value == 3)
      #expect(try await second.value == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test func `F7 two features with one place each may load from one another`() async throws {
    let (one, other) = (try open(1), try open(1))
    let gate = Gate()
    try await clock.run {
      let first = clock.startTask {
        try await one.cached("a") { () async throws -> Int in
          try await gate.wait()
          return try await other.cached("c") { () async throws -> Int in 1 } + 1
        }
      }
      let second = clock.startTask {
        try await other.cached("b") { () async throws -> Int in
          try await gate.wait()
          return try await one.cached("d") { () async throws -> Int in 10 } + 10
        }
      }
      try await clock.settle()
      #expect(gate.waiting == 2)
      gate.open()
      try await clock.settle()
      #expect(one.flights.waiterCount + other.flights.waiterCount == 0)
      #expect(try await first.value == 2)
      #expect(try await second.value == 20)
    }
    #expect(one.isQuiet && other.isQuiet)
  }

  @Test func `F7 a batch passes when a producer that has the only place joins it`() async throws {
    let fixture = try BatchFixture(.memory)
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = 1
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    let clock = fixture.clock
    let gate = Gate()
    try await clock.run {
      let first = clock.startTask {
        try await feature.integers.cached("a") { () async throws -> Int in
          try await gate.wait()
          return try await fetch([1])[1] ?? -1
        }
      }
      try await clock.settle()
      let second = clock.startTask { try await fetch([1, 2]) }
      try await clock.settle()
      #expect(fixture.source.asked.isEmpty)
      gate.open()
      try await clock.settle()
      #expect(fixture.source.asked == [[1, 2]])
      fixture.source.answer([1, 2])
      try await clock.settle()
      #expect(try await first.value == 10)
      #expect(try await second.value == [1: 10, 2: 20])
    }
    #expect(feature.isQuiet)
  }

  @Test func `a feature's limit holds for what the producers of another one load`() async throws {
    let (above, below) = (try open(4), try open(1))
    let held = GatedProducer<Int>()
    try await clock.run {
      let callers = (0..<4).map { number in
        clock.startTask {
          try await above.cached("\(number)") { () async throws -> Int in
            try await below.cached("\(number)") { try await held() }
          }
        }
      }
      for left in (0..<4).reversed() {
        try await clock.settle()
        #expect(held.waiting == 1)
        #expect(below.core.bulkhead?.waitingCount == left)
        held.release(1)
      }
      for caller in callers { #expect(try await caller.value == 1) }
    }
    #expect(above.isQuiet && below.isQuiet)
    #expect(above.core.bulkhead?.holders.isEmpty == true)
    #expect(below.core.bulkhead?.holders.isEmpty == true)
  }

  @Test func `work that a producer leaves behind takes turns as everybody does`() async throws {
    let cache = try open(1)
    let go = Gate()
    let held = GatedProducer<Int>()
    let left = Lock<Task<Void, any Error>?>(nil)
    let clock = clock
    try await clock.run {
      _ = try await cache.cached("a") { () async throws -> Int in
        let task = clock.startTask {
          try? await go.wait()
          async let one = try? cache.cached("b") { try await held() }
          async let two = try? cache.cached("c") { try await held() }
          _ = await (one, two)
        }
        left.withLock { $0 = task }
        return 1
      }
      go.open()
      try await clock.settle()
      #expect(held.waiting == 1)
      #expect(held.calls == 1)
      held.release(1)
      try await clock.settle()
      #expect(held.calls == 2)
      held.release(1)
      try await left.withLock { $0 }?.value
    }
    #expect(cache.isQuiet)
  }

  @Test func `a load that is cancelled in the queue is in no graph any more`() async throws {
    let cache = try open(1)
    let held = GatedProducer<Int>()
    try await clock.run {
      let first = clock.startTask { try await cache.cached("a") { try await held() } }
      try await clock.settle()
      let second = clock.startTask { try await cache.cached("b") { try await held() } }
      try await clock.settle()
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
      try await clock.settle()
      #expect(cache.core.bulkhead?.waitingCount == 0)
      held.release(1)
      #expect(try await first.value == 1)
      try await clock.settle()
      #expect(try await cache.cached("c") { 3 } == 3)
    }
    #expect(cache.core.bulkhead?.holders.isEmpty == true)
    #expect(cache.isQuiet)
  }
}
