import CacheAsideTesting
import Testing

@testable import CacheAside

/// The cached value, then the new one.
@Suite(.timeLimit(.minutes(60)))
struct UpdatesTests {
  private struct Plain: Sendable { var number: Int }

  private static let policy = CachePolicy(
    expiry: .seconds(5),
    staleWhileRevalidate: .seconds(5),
    staleIfError: .seconds(10)
  )

  private func all<Value>(_ updates: CacheUpdates<Value>) async throws -> [Value] {
    var values: [Value] = []
    for try await value in updates { values.append(value) }
    return values
  }

  @Test(arguments: Setup.allCases)
  func `the cached value comes first, then the new one if it differs`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    try await fixture.clock.run {
      #expect(try await all(cache.updates("k") { 1 }) == [1])
      #expect(try await all(cache.updates("k") { 2 }) == [1, 2])
      #expect(try await all(cache.updates("k") { Produced(2) }) == [2])
      try await fixture.clock.advance(by: .seconds(8))
      #expect(try await all(cache.updates("k") { 3 }) == [2, 3])
      try await fixture.clock.advance(by: .seconds(13))
      let renewed = cache.updates("k") { (previous: Previous<Int>?) in
        #expect(previous?.value == 3)
        return Produced(4)
      }
      #expect(try await all(renewed) == [3, 4])
      try await fixture.clock.advance(by: .seconds(15))
      #expect(try await all(cache.updates("k") { 5 }) == [5])
    }
    #expect(try await cache.value(for: "k") == 5)
    #expect(cache.isQuiet)
  }

  @Test func `a value without an equality always comes again`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(Plain.self)
    try await cache.set(Plain(number: 1), for: "k")
    #expect(try await all(cache.updates("k") { Plain(number: 1) }).map(\.number) == [1, 1])
  }

  @Test(arguments: Setup.allCases)
  func `a failure throws only where nothing was shown`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    await #expect(throws: EngineError.boom) {
      try await all(cache.updates("k") { throw EngineError.boom })
    }
    try await cache.set(1, for: "k")
    #expect(try await all(cache.updates("k") { throw EngineError.boom }) == [1])
    #expect(try await cache.value(for: "k") == 1)
    #expect(cache.isQuiet)
  }

  @Test func `sequences of one key share their load`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    let producer = GatedProducer<Int>()
    var iterators = (0..<10).map { _ in
      cache.updates("k") { try await producer() }.makeAsyncIterator()
    }
    for index in iterators.indices { #expect(try await iterators[index].next() == 1) }
    await cache.waiters(10)
    producer.release(2)
    for index in iterators.indices {
      #expect(try await iterators[index].next() == 2)
      #expect(try await iterators[index].next() == nil)
    }
    #expect(producer.calls == 1)
    #expect(cache.isQuiet)
  }

  @Test func `F2 whoever stops iterating or is cancelled leaves the load`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    let producer = GatedProducer<Int>()
    for try await value in cache.updates("k", { try await producer() }) {
      #expect(value == 1)
      try await producer.waitForRuns(1)
      break
    }
    await until { cache.isQuiet }
    #expect(producer.cancellations == 1)
    let reader = Task { try await all(cache.updates("k") { try await producer() }) }
    try await producer.waitForRuns(2)
    reader.cancel()
    #expect(try await reader.value == [1])
    await until { cache.isQuiet }
    #expect(producer.cancellations == 2)
  }

  @Test func `a load that others wait for goes on without the sequence`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let reader = Task { try await all(cache.updates("k") { try await producer() }) }
    await cache.waiters(1)
    let other = call(cache, producer)
    await cache.waiters(2)
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    producer.release(1)
    #expect(try await other.value == 1)
    #expect(producer.calls == 1)
  }

  @Test(arguments: CallableShape.allCases)
  func `memoized functions have them too`(shape: CallableShape) async throws {
    let feature = try Caches.inMemory["numbers"]
    let producer = CountingProducer { run in
      if run == 3 { throw EngineError.boom }
      return run
    }
    let function = shape.callable(in: feature) { _ in try await producer() }
    #expect(try await all(function.updates(1)) == [1])
    #expect(try await all(function.updates(1)) == [1, 2])
    #expect(try await all(function.updates(1)) == [2])
    #expect(try await all(function.when { _ in false }.updates(1)) == [4])
    try await function.remove(1)
    let failing = shape.callable(in: feature) { _ in throw EngineError.boom }
    #expect(try await all(failing.withDefault(-1).updates(1)) == [-1])
    await #expect(throws: EngineError.boom) { try await all(failing.updates(1)) }
  }
}
