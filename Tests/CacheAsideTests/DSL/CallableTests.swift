import CacheAside
import CacheAsideTesting
import Testing

/// What every shape of callable does.
@Suite(.timeLimit(.minutes(60)))
struct CallableTests {
  private struct Failure: Error {}

  private let clock = ManualClock()
  private let feature: CacheFeature

  init() throws { feature = try Caches.inMemory(time: clock.timeSource)["numbers"] }

  @Test(arguments: CallableShape.allCases)
  func `a second call is a hit, another argument a miss`(shape: CallableShape) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { number in number * 100 + (try await producer()) }
    #expect(try await function.call(1) == 101)
    #expect(try await function.call(1) == 101)
    #expect(try await function.call(2) == 202)
    #expect(try await function.call(1) == 101)
    #expect(producer.calls == 2)
    #expect(feature.statistics.hits == 2)
    #expect(feature.statistics.misses == 2)
    #expect(feature.statistics.tiers[0].hits == 2)
    #expect(feature.statistics.tiers[0].misses == 2)
  }

  @Test(arguments: CallableShape.allCases)
  func `concurrent callers share one run`(shape: CallableShape) async throws {
    let producer = GatedProducer<Int>()
    let function = shape.callable(in: feature) { _ in try await producer() }
    async let first = function.call(1)
    try await producer.waitForRuns(1)
    async let second = function.asFunction(1)
    async let third = function.outcome(1, .default)
    while feature.statistics.flights == 0 { await Task.yield() }
    producer.release(7)
    #expect(try await first == 7)
    #expect(try await second == 7)
    #expect(try await third.value == 7)
    #expect(producer.calls == 1)
  }

  @Test(arguments: CallableShape.allCases)
  func `peek neither loads nor counts`(shape: CallableShape) async throws {
    let function = shape.callable(in: feature, expiry: .seconds(10)) { $0 }
    #expect(function.peek(1) == nil)
    #expect(feature.statistics.misses == 0)
    _ = try await function.call(1)
    #expect(function.peek(1) == 1)
    #expect(feature.statistics.hits == 0)
    try await clock.advance(by: .seconds(10))
    #expect(function.peek(1) == nil)
  }

  @Test(arguments: CallableShape.allCases)
  func `outcome tells where a value came from`(shape: CallableShape) async throws {
    let function = shape.callable(in: feature, expiry: .seconds(10)) { $0 }
    let produced = try await function.outcome(1, .default)
    #expect(produced.source == .produced && !produced.isLoadedFromCache)
    try await clock.advance(by: .seconds(4))
    let hit = try await function.outcome(1, .default)
    #expect(hit.source == .memory && hit.isLoadedFromCache)
    #expect(hit.age == .seconds(4) && hit.remainingLife == .seconds(6))
  }

  @Test(arguments: CallableShape.allCases)
  func `refresh, expire and remove act on one key`(shape: CallableShape) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    #expect(try await function.call(1) == 1)
    #expect(try await function.call(2) == 2)
    #expect(try await function.refresh(1) == 3)
    #expect(try await function.call(1) == 3)
    try await function.expire(1)
    #expect(function.peek(1) == nil)
    #expect(try await function.call(1) == 4)
    try await function.remove(1)
    #expect(function.peek(1) == nil)
    #expect(try await function.call(1) == 5)
    #expect(try await function.call(2) == 2)
  }

  @Test(arguments: CallableShape.allCases)
  func `a key of the feature reaches the table of the callable`(shape: CallableShape) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    _ = try await function.call(42)
    try await feature.remove(function.key(42))
    #expect(function.peek(42) == nil)
    #expect(try await function.call(42) == 2)
    try await feature.expire(function.key(42))
    #expect(try await function.call(42) == 3)
    // The printed form is as good: this is what tools and people have.
    try await feature.remove(try CacheKey(printable: function.key(42).description))
    #expect(function.peek(42) == nil)
  }

  @Test(arguments: CallableShape.allCases)
  func `uncached runs the function alone`(shape: CallableShape) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    #expect(try await function.uncached(1) == 1)
    #expect(try await function.uncached(1) == 2)
    #expect(function.peek(1) == nil)
    #expect(try await function.asFunction(1) == 3)
    #expect(function.peek(1) == 3)
  }

  @Test(arguments: CallableShape.allCases)
  func `a failed run is told to the caller and not cached`(shape: CallableShape) async throws {
    let producer = CountingProducer { run in
      if run == 1 { throw Failure() }
      return run
    }
    let function = shape.callable(in: feature) { _ in try await producer() }
    await #expect(throws: Failure.self) { _ = try await function.call(1) }
    #expect(try await function.call(1) == 2)
  }

  @Test(arguments: CallableShape.allCases)
  func `an expiry that is not a number is refused`(shape: CallableShape) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature, expiry: .seconds(.nan)) { _ in try await producer() }
    let error = await #expect(throws: CacheError.self) { _ = try await function.call(1) }
    #expect(error?.code == .invalidExpiry)
    #expect(producer.calls == 0)
  }
}
