import CacheAside
import CacheAsideTesting
import Testing

/// Callables over memory and disk.
@Suite(.timeLimit(.minutes(60)))
struct CallableTierTests {
  private let clock = ManualClock()
  private let folder: TemporaryFolder
  private let producer = CountingProducer { $0 }

  init() throws { folder = try TemporaryFolder() }

  /// A feature as each launch of a program makes it.
  private func launch() throws -> CacheFeature {
    try Caches(time: clock.timeSource) {
      Feature("numbers", expiry: .minutes(5)) {
        Memory()
        Disk(location: .directory(folder.path))
      }
    }["numbers"]
  }

  private func function(_ shape: CallableShape, in feature: CacheFeature) -> Callable {
    shape.callable(in: feature) { [producer] _ in try await producer() }
  }

  @Test(arguments: CallableShape.allCases)
  func `the next launch finds what was stored, with its remaining life`(
    shape: CallableShape
  ) async throws {
    #expect(try await function(shape, in: launch()).call(1) == 1)
    try await clock.advance(by: .seconds(60))
    let feature = try launch()
    let next = function(shape, in: feature)
    #expect(next.peek(1) == nil)
    let outcome = try await next.outcome(1, .default)
    #expect(outcome.source == .store("disk") && outcome.isLoadedFromCache)
    #expect(outcome.age == .seconds(60) && outcome.remainingLife == .seconds(240))
    #expect(next.peek(1) == 1)
    #expect(try await next.callInMode(1, .cacheOnly) == 1)
    #expect(feature.statistics.hits == 2 && feature.statistics.misses == 0)
    #expect(producer.calls == 1)
  }

  @Test(arguments: CallableShape.allCases)
  func `a removal by key reaches memory and disk`(shape: CallableShape) async throws {
    let feature = try launch()
    let callable = function(shape, in: feature)
    #expect(try await callable.call(1) == 1)
    try await feature.remove(try CacheKey(printable: callable.key(1).description))
    #expect(callable.peek(1) == nil)
    #expect(try await function(shape, in: launch()).call(1) == 2)
    try await callable.expire(1)
    #expect(try await function(shape, in: launch()).call(1) == 3)
  }

  @Test
  func `scopes share nothing on disk either`() async throws {
    let tenants = ["a", "b"].map { CacheScope(["tenant": $0]) }
    for launchNumber in 0..<2 {
      let callable = function(.named, in: try launch())
      #expect(try await callable.call(1) == 1)
      for (index, tenant) in tenants.enumerated() {
        let number = try await Caches.withScope(tenant) { try await callable.call(1) }
        #expect(number == index + 2, "launch \(launchNumber)")
      }
    }
    #expect(producer.calls == 3)
  }
}
