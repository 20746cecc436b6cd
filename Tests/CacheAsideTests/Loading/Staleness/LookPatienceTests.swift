import CacheAsideTesting
import Testing

@testable import CacheAside

/// A caller that looks at a store before it loads waits for both no longer than its limit.
@Suite(.timeLimit(.minutes(60)))
struct LookPatienceTests {
  private let clock = ManualClock()
  private let plain = PlainStore()
  private let gate = Gate()
  private let producer = GatedProducer<Int>()

  private static var policy: CachePolicy {
    var policy = CachePolicy(expiry: .minutes(10))
    policy.hardTimeout = .seconds(0.3)
    return policy
  }

  /// A feature whose store can be made slow.
  private func open(
    hasMemory: Bool,
    _ policy: CachePolicy = policy
  ) throws -> (CacheFeature, FaultInjectingStore<PlainStore>) {
    let store = FaultInjectingStore(plain)
    let caches = try Caches(time: clock.timeSource) {
      Feature("feature", policy: policy) {
        if hasMemory { Memory() }
        Store(store)
      }
    }
    return (try caches["feature"], store)
  }

  /// Whether a call whose look takes 200 of its 300 milliseconds waits for its load 100 more.
  private func expectOneLimit<Value>(
    _ store: FaultInjectingStore<PlainStore>,
    loads: Int,
    _ calls: @escaping @Sendable () -> Int,
    _ call: @escaping @Sendable () async throws -> Value
  ) async throws {
    store.inject(.delay(gate), on: .read, times: 1)
    let caller = clock.startTask { _ = try await call() }
    try await gate.waitForArrivals(1)
    try await clock.advance(by: .milliseconds(200))
    gate.open()
    try await clock.settle()
    #expect(calls() == loads)
    let ended = Counter()
    let noting = clock.startTask {
      let result = await caller.result
      ended.add()
      try result.get()
    }
    try await clock.advance(by: .milliseconds(99))
    #expect(ended.count == 0)
    try await clock.advance(by: .milliseconds(1))
    #expect(ended.count == 1)
    guard ended.count == 1 else { return caller.cancel() }
    let error = await #expect(throws: CacheError.self) { try await noting.value }
    #expect(error?.code == .timedOut)
  }

  @Test func `T4 beside a load`() async throws {
    var policy = Self.policy
    policy.refreshAhead = .fraction(0.5)
    let (feature, store) = try open(hasMemory: false, policy)
    let (cache, producer) = (feature.cache(String.self, Int.self), producer)
    try await clock.run {
      #expect(try await cache.cached("k") { 1 } == 1)
      try await clock.advance(by: .seconds(400))
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await clock.settle()
      #expect(producer.calls == 1)
      // Another process removes what is being loaded again.
      try await plain.removeAll(in: nil)
      try await expectOneLimit(store, loads: 2, { producer.calls }) {
        try await cache.cached("k") { try await producer() }
      }
      producer.release(2)
      producer.release(3)
      try await clock.settle()
    }
    #expect(cache.isQuiet)
  }

  @Test func `T4 beside the load of a batch`() async throws {
    var policy = Self.policy
    policy.refreshAhead = .fraction(0.5)
    let (feature, store) = try open(hasMemory: false, policy)
    let source = BatchSource()
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) in try await source(ids) }
    try await clock.run {
      source.answer([1])
      #expect(try await fetch([1]) == [1: 10])
      try await clock.advance(by: .seconds(400))
      #expect(try await fetch([1]) == [1: 10])
      try await clock.settle()
      try await plain.removeAll(in: nil)
      try await expectOneLimit(store, loads: 3, { source.asked.count }) { try await fetch([1]) }
      for _ in 0..<2 { source.answer([1]) }
      try await clock.settle()
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: [CacheMode.anyAge, .cacheThenRefresh])
  func `T4 in a mode that reads first`(mode: CacheMode) async throws {
    let (feature, store) = try open(hasMemory: true)
    let (cache, producer) = (feature.cache(String.self, Int.self), producer)
    try await clock.run {
      try await expectOneLimit(store, loads: 1, { producer.calls }) {
        try await Caches.withMode(mode) { try await cache.cached("k") { try await producer() } }
      }
      producer.release(1)
      try await clock.settle()
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: [CacheMode.anyAge, .cacheThenRefresh], [false, true])
  func `T4 a batch in a mode that reads first`(mode: CacheMode, isCollected: Bool) async throws {
    let (feature, store) = try open(hasMemory: true)
    let source = BatchSource()
    let fetch = feature.cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) in try await source(ids) }
    let collector = fetch.batching(maximum: 1, window: .seconds(1))
    try await clock.run {
      try await expectOneLimit(store, loads: 1, { source.asked.count }) {
        try await Caches.withMode(mode) {
          isCollected ? try await collector(1) : try await fetch([1])[1]
        }
      }
      source.answer([1])
      try await clock.settle()
    }
    #expect(feature.isQuiet)
  }
}
