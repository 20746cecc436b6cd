import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A mode bound around calls.
@Suite(.timeLimit(.minutes(60)))
struct BoundModeTests {
  private let clock = ManualClock()
  private let feature: CacheFeature

  init() throws { feature = try Caches.inMemory(time: clock.timeSource)["numbers"] }

  @Test(arguments: CallableShape.allCases)
  func `it counts for callables that say nothing, and a said mode beats it`(
    shape: CallableShape
  ) async throws {
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    #expect(try await function.call(1) == 1)
    try await Caches.withMode(.reload) { () async throws in
      #expect(try await function.call(1) == 2)
      #expect(try await function.callInMode(1, .default) == 2)
      #expect(try await function.callInMode(1, .cacheOnly) == 2)
      #expect(try await function.call(1) == 3)
      #expect(try await function.asFunction(1) == 4)
      #expect(function.peek(1) == 4)
    }
    #expect(try await function.call(1) == 4)
    #expect(try await Caches.withMode(.bypass) { try await function.call(1) } == 5)
    #expect(try await function.call(1) == 4)
  }

  @Test func `it counts for the immediate forms and the methods of a cache`() async throws {
    let caches = Caches.inMemory(time: clock.timeSource)
    let cache = try caches["numbers"].cache(Int.self, Int.self)
    try await Caches.withCurrent(caches) {
      let runs = Counter()
      let global: @Sendable (CacheMode?) async throws -> Int = { mode in
        try await cached(key: "k", mode: mode) {
          runs.add()
          return runs.count
        }
      }
      let method: @Sendable () async throws -> Int = {
        try await cache.cached(1) {
          runs.add()
          return runs.count
        }
      }
      #expect(try await global(nil) == 1)
      #expect(try await method() == 2)
      try await Caches.withMode(.reload) { () async throws in
        #expect(try await global(nil) == 3)
        #expect(try await global(.default) == 3)
        #expect(try await method() == 4)
        #expect(cache[1] == 4)
        #expect(try await cache.value(for: 1) == 4)
      }
      try await Caches.withMode(.cacheOnly) { () async throws in
        #expect(try await global(nil) == 3)
        await #expect(throws: CacheError.self) { try await cached(key: "none") { 1 } }
        await #expect(throws: CacheError.self) { try await cache.cached(9) { 1 } }
      }
      #expect(try await global(nil) == 3)
    }
  }

  @Test func `a mode inside another replaces it, and the default ends it`() async throws {
    let producer = CountingProducer { $0 }
    let function = feature.cached("f") { (_: Int) in try await producer() }
    #expect(try await function(1) == 1)
    try await Caches.withMode(.reload) { () async throws in
      try await Caches.withMode(.default) { () async throws in #expect(try await function(1) == 1) }
      try await Caches.withMode(.bypass) { () async throws in #expect(try await function(1) == 2) }
      try await Caches.withScope(["tenant": "a"]) { () async throws in
        #expect(try await function(1) == 3)
      }
      #expect(try await function(1) == 4)
    }
    try await Caches.withScope(["tenant": "a"]) { () async throws in
      #expect(try await function(1) == 3)
    }
  }

  @Test func `tasks and producers see it, loads in the background do not`() async throws {
    let (clock, feature) = (clock, feature)
    let modes = Lock<[CacheMode]>([])
    let function = feature.cached("f") { (_: Int) in
      modes.withLock { $0.append(Ambient.mode) }
      return 1
    }
    try await clock.run {
      _ = try await function(1)
      try await Caches.withMode(.cacheThenRefresh) { _ = try await function(1) }
      try await clock.settle()
      try await Caches.withMode(.reload) {
        async let inTask = function(1)
        _ = try await inTask
      }
    }
    #expect(modes.withLock { $0 } == [.default, .default, .reload])
  }

  @Test func `a call under a bound mode is counted once`() async throws {
    let cache = feature.cache(Int.self, Int.self)
    try await Caches.withMode(.anyAge) { _ = try await cache.cached(1) { 1 } }
    try await Caches.withMode(.anyAge) { _ = try await cache.cached(1) { 1 } }
    try await Caches.withMode(.default) { _ = try await cache.cached(2) { 1 } }
    #expect(cache.statistics.misses == 2)
    #expect(cache.statistics.lookups == 3)
  }

  @Test func `a synchronous operation binds it for what it starts`() async throws {
    let function = feature.cached("f") { (number: Int) in number }
    let task = Caches.withMode(.cacheOnly) { Task { try await function(1) } }
    let error = await #expect(throws: CacheError.self) { try await task.value }
    #expect(error?.code == .notCached)
  }
}
