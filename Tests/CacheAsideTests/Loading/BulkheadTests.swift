import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BulkheadTests {
  private func open(_ limit: Int, _ fixture: CacheFixture) throws -> Cache<String, Int> {
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = limit
    return try fixture.open(policy: policy)
  }

  @Test func `no more producers run than allowed, first come first`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try open(2, fixture)
    let clock = fixture.clock
    let order = Order()
    let producer = GatedProducer<Int>()
    try await clock.run {
      let callers = (0..<6).map { number in
        clock.startTask {
          try await cache.cached("\(number)") {
            order.add(number)
            return try await producer()
          }
        }
      }
      try await clock.settle()
      #expect(producer.waiting == 2)
      #expect(cache.core.bulkhead?.waitingCount == 4)
      while producer.waiting > 0 {
        producer.release(1)
        try await clock.settle()
        #expect(producer.waiting <= 2)
      }
      #expect(producer.calls == 6)
      for caller in callers { #expect(try await caller.value == 1) }
    }
    #expect(order.numbers == [0, 1, 2, 3, 4, 5])
  }

  @Test func `a waiting load whose callers left gives up its turn`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try open(1, fixture)
    let clock = fixture.clock
    let producer = GatedProducer<Int>()
    try await clock.run {
      let first = clock.startTask { try await cache.cached("a") { try await producer() } }
      try await clock.settle()
      let second = clock.startTask { try await cache.cached("b") { try await producer() } }
      let third = clock.startTask { try await cache.cached("c") { try await producer() } }
      try await clock.settle()
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
      try await clock.settle()
      #expect(cache.core.bulkhead?.waitingCount == 1)
      producer.release(1)
      #expect(try await first.value == 1)
      try await clock.settle()
      producer.release(3)
      #expect(try await third.value == 3)
      #expect(producer.calls == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test func `a producer that asks its own feature does not wait for itself`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try open(1, fixture)
    let value = try await cache.cached("outer") {
      try await cache.cached("inner") { 1 } + 1
    }
    #expect(value == 2)
  }

  @Test func `T4 a hung producer that ignores its cancellation holds no place`() async throws {
    let fixture = try CacheFixture(.memory)
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = 1
    policy.abandonAfter = .seconds(5)
    let cache = try fixture.open(policy: policy)
    let clock = fixture.clock
    let hung = GatedProducer<Int>(honoursCancellation: false)
    try await clock.run {
      let caller = clock.startTask { try await cache.cached("a") { try await hung() } }
      try await clock.advance(by: .seconds(5))
      await #expect(throws: CacheError.self) { try await caller.value }
      #expect(try await cache.cached("b") { 2 } == 2)
      hung.release(1)
      try await clock.settle()
    }
    #expect(cache.isQuiet)
  }

  @Test func `of two that wait the more urgent is served first`() async throws {
    let bulkhead = Bulkhead(limit: 1)
    let gate = Gate()
    let order = Order()
    func start(_ number: Int, _ priority: TaskPriority) -> Task<Void, any Error> {
      Task(priority: priority) {
        try await bulkhead.run { order.add(number) }
      }
    }
    let first = Task { try await bulkhead.run { try await gate.wait() } }
    await until { gate.waiting == 1 }
    let low = start(1, .utility)
    await until { bulkhead.waitingCount == 1 }
    let high = start(2, .high)
    await until { bulkhead.waitingCount == 2 }
    gate.open()
    try await first.value
    try await low.value
    try await high.value
    #expect(order.numbers == [2, 1])
  }

  /// What is looked at and moved when loads queue up and are served.
  private func work(loads count: Int) async throws -> Int {
    let fixture = try CacheFixture(.memory)
    let cache = try open(4, fixture)
    let (clock, producer) = (fixture.clock, GatedProducer<Int>())
    // Loads in a queue are looked for among waits, if there is one anywhere in the process: here always.
    let (one, other) = (Registration(), Registration())
    #expect(WaitGraph.shared.add(from: one, to: other))
    defer { WaitGraph.shared.remove(from: one, to: other) }
    let log = try await WorkLog.recording {
      let callers = (0..<count).map { key in
        clock.startTask { try await cache.cached("\(key)") { try await producer() } }
      }
      try await clock.settle()
      #expect(cache.core.bulkhead?.waitingCount == count - 4)
      // A third of them leaves the queue, from all over it.
      for caller in callers[4...].enumerated() where caller.offset % 3 == 0 {
        caller.element.cancel()
      }
      while producer.waiting > 0 {
        producer.release(1)
        try await clock.settle()
      }
      for (index, caller) in callers.enumerated() {
        switch await caller.result {
        case .success(let value): #expect(value == 1)
        case .failure: #expect(index >= 4 && (index - 4) % 3 == 0)
        }
      }
    }
    #expect(cache.isQuiet)
    return log[.entry] + log[.waiter]
  }

  @Test func `ten times the queue is hardly more than ten times the work (B373)`() async throws {
    let few = try await work(loads: 300)
    let many = try await work(loads: 3_000)
    #expect(few > 300)
    // Each step of a heap of ten times the size is a third longer.
    #expect(many < few * 16)
  }

  @Test func `F8 a load that an urgent caller joins in the queue is served next (B374)`()
    async throws
  {
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = 1
    let cache = try Cache<String, Int>(name: "urgent", policy: policy) { Memory() }
    let (gate, order) = (Gate(), Order())
    func start(_ number: Int, _ priority: TaskPriority) -> Task<Int, any Error> {
      Task.detached(priority: priority) {
        try await cache.cached("\(number)") {
          order.add(number)
          return number
        }
      }
    }
    let first = Task.detached(priority: .low) {
      try await cache.cached("first") { () async throws -> Int in
        try await gate.wait()
        return -1
      }
    }
    await until { gate.waiting == 1 }
    var callers: [Task<Int, any Error>] = []
    for number in 0..<10 {
      callers.append(start(number, .low))
      await until { cache.core.bulkhead?.waitingCount == number + 1 }
    }
    callers.append(start(9, .high))
    await until { cache.statistics.waiters == 12 }
    gate.open()
    #expect(try await first.value == -1)
    for caller in callers { _ = try await caller.value }
    #expect(order.numbers == [9, 0, 1, 2, 3, 4, 5, 6, 7, 8])
  }
}

/// Numbers in the order in which they came.
private final class Order: Sendable {
  private let list = Lock<[Int]>([])

  var numbers: [Int] { list.withLock { $0 } }

  func add(_ number: Int) { list.withLock { $0.append(number) } }
}
