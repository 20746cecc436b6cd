import CacheAside
import CacheAsideTesting
import Synchronization
import Testing

/// Modes per call, and the changed copies of callables.
@Suite(.timeLimit(.minutes(60)))
struct CallableModeTests {
  private struct Failure: Error {}

  private let clock = ManualClock()
  private let feature: CacheFeature

  init() throws { feature = try Caches.inMemory(time: clock.timeSource)["numbers"] }

  @Test(arguments: CallableShape.allCases)
  func `reload runs and stores, bypass runs and leaves no trace`(shape: CallableShape) async throws
  {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    #expect(try await function.callInMode(1, .default) == 1)
    #expect(try await function.callInMode(1, .bypass) == 2)
    #expect(try await function.call(1) == 1)
    #expect(try await function.callInMode(1, .reload) == 3)
    #expect(try await function.call(1) == 3)
  }

  @Test(arguments: CallableShape.allCases)
  func `cacheOnly never runs the function`(shape: CallableShape) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    let error = await #expect(throws: CacheError.self) {
      _ = try await function.callInMode(1, .cacheOnly)
    }
    #expect(error?.code == .notCached)
    #expect(producer.calls == 0)
    #expect(try await function.call(1) == 1)
    #expect(try await function.callInMode(1, .cacheOnly) == 1)
  }

  @Test(arguments: CallableShape.allCases)
  func `anyAge serves what has expired and is kept`(shape: CallableShape) async throws {
    let policy = CachePolicy(expiry: .seconds(10), keepExpired: .seconds(5))
    let feature = try Caches(time: clock.timeSource) {
      Feature("kept", policy: policy) { Memory() }
    }["kept"]
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    #expect(try await function.callInMode(1, .anyAge) == 1)
    try await clock.advance(by: .seconds(12))
    #expect(try await function.callInMode(1, .anyAge) == 1)
    let outcome = try await function.outcome(1, .anyAge)
    #expect(outcome.source == .stale(.anyAge))
    #expect(outcome.age == .seconds(12) && outcome.remainingLife == .zero)
    #expect(try await function.call(1) == 2)
    try await clock.advance(by: .seconds(15))
    #expect(try await function.callInMode(1, .anyAge) == 3)
  }

  @Test(arguments: CallableShape.allCases)
  func `when runs the function uncached where the condition fails`(shape: CallableShape)
    async throws
  {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }.when { $0 > 0 }
    #expect(try await function.call(-1) == 1)
    #expect(try await function.call(-1) == 2)
    #expect(function.peek(-1) == nil)
    #expect(try await function.call(1) == 3)
    #expect(try await function.call(1) == 3)
    #expect(try await function.outcome(-1, .default).source == .produced)
    #expect(producer.calls == 4)
  }

  @Test(arguments: CallableShape.allCases)
  func `storing decides about each value`(shape: CallableShape) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }.storing { $0 > 1 }
    #expect(try await function.call(1) == 1)
    #expect(function.peek(1) == nil)
    #expect(try await function.call(1) == 2)
    #expect(try await function.call(1) == 2)
  }

  @Test(arguments: CallableShape.allCases)
  func `default stands in for an error and is not stored`(shape: CallableShape) async throws {
    let producer = CountingProducer { run in
      if run == 1 { throw Failure() }
      return run
    }
    let function = shape.callable(in: feature) { _ in try await producer() }.withDefault(-1)
    #expect(try await function.call(1) == -1)
    #expect(function.peek(1) == nil)
    #expect(try await function.call(1) == 2)
    #expect(try await function.callInMode(9, .cacheOnly) == -1)
  }

  @Test(arguments: CallableShape.allCases)
  func `default does not stand in for a cancellation`(shape: CallableShape) async throws {
    let function = shape.callable(in: feature) { _ in throw CancellationError() }.withDefault(-1)
    await #expect(throws: CancellationError.self) { _ = try await function.call(1) }
  }

  @Test(arguments: CallableShape.allCases)
  func `a changed copy leaves the callable as it was and shares its entries`(
    shape: CallableShape
  ) async throws {
    let function = shape.callable(in: feature) { $0 }
    let copy = function.storing { _ in false }
    #expect(try await copy.call(1) == 1)
    #expect(function.peek(1) == nil)
    #expect(try await function.call(1) == 1)
    #expect(copy.peek(1) == 1)
  }
}
