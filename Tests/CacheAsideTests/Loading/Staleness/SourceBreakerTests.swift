import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A source that is down is not asked for every key.
@Suite(.timeLimit(.minutes(60)))
struct SourceBreakerTests {
  private struct NoSuchUser: Error {}

  private static func policy(
    ifError: Window? = .seconds(100_000),
    revalidate: Window? = nil,
    _ change: (inout CachePolicy) -> Void = { _ in }
  ) -> CachePolicy {
    var policy = CachePolicy(
      expiry: .seconds(5),
      staleWhileRevalidate: revalidate,
      staleIfError: ifError
    )
    change(&policy)
    return policy
  }

  private func features(
    _ clock: ManualClock,
    _ policy: CachePolicy
  ) throws -> CacheFeature {
    try Caches(time: clock.timeSource) {
      Feature("feature", policy: policy) { Memory(.count(10_000)) }
    }["feature"]
  }

  /// Fails a function for keys of its own.
  private func fail(
    _ count: Int,
    from first: Int = 0,
    _ load: (Int) async throws -> Int
  ) async {
    for key in first..<first + count {
      await #expect(throws: (any Error).self) { try await load(key) }
    }
  }

  @Test(arguments: [true, false], [nil, 4])
  func
    `a thousand expired keys ask a source that is down five times, then once a pause (F10, B390)`(
      isRevalidated: Bool,
      limit: Int?
    ) async throws
  {
    let clock = ManualClock()
    let window: Window = .seconds(100_000)
    let policy = Self.policy(
      ifError: isRevalidated ? nil : window,
      revalidate: isRevalidated ? window : nil
    ) { $0.maximumConcurrentLoads = limit }
    let feature = try features(clock, policy)
    let events = EventRecorder<CacheEvent>()
    let answers = GatedProducer<Int>()
    let source = CountingProducer<Int> { run in
      if run <= 1_000 { return run }
      if run == 1_009 { return try await answers() }
      throw EngineError.net
    }
    let load = feature.cached("load") { (_: Int) in try await source() }
    feature.observe(EventObserver(events))
    try await clock.run {
      for key in 0..<1_000 { _ = try await load(key) }
      try await clock.advance(by: .seconds(5))
      for key in 0..<1_000 {
        #expect(try await load(key) == key + 1)
        try await clock.settle()
      }
      #expect(source.calls == 1_005)
      let held = try await load.outcome(900)
      #expect(held.source == .stale(.resting))
      for pause in 1...3 {
        try await clock.advance(by: .seconds(10))
        for key in 0..<100 {
          _ = try await load(key)
          try await clock.settle()
        }
        #expect(source.calls == 1_005 + pause)
      }
      // The answer of the source ends it: the next failure is only the first.
      try await clock.advance(by: .seconds(10))
      answers.release(7)
      #expect(try await load(0) >= 1)
      try await clock.settle()
      _ = try await load(1)
      try await clock.settle()
      #expect(source.calls == 1_010)
    }
    #expect(
      events.events.map(\.kind).filter { [.breakerOpened, .breakerClosed].contains($0) }
        == [.breakerOpened, .breakerClosed]
    )
    #expect(feature.statistics.breakerOpenings == 1)
    #expect(feature.statistics.heldBackLoads >= 995)
  }

  @Test func `without a stale value a call that is held back throws at once (F10, B390)`()
    async throws
  {
    let clock = ManualClock()
    let feature = try features(clock, Self.policy())
    let source = CountingProducer<Int>.failing(EngineError.net)
    let load = feature.cached("load") { (_: Int) in try await source() }
    try await clock.run {
      try await clock.settle()
      await fail(5) { try await load($0) }
      let error = await #expect(throws: CacheError.self) { try await load(5) }
      #expect(error?.code == .backingOff)
      #expect(error?.cause as? EngineError == .net)
      #expect(source.calls == 5)
      let explanation = await load.explain(5)
      #expect(explanation.rule == .breaker)
      #expect(explanation.openBreaker == .seconds(10))
      let (_, trace) = await CacheTrace.record { _ = try? await load(6) }
      #expect(trace.entries.map(\.rule) == [.breaker])
      try await clock.advance(by: .seconds(10))
      #expect(await load.explain(5).openBreaker == nil)
      await #expect(throws: EngineError.net) { try await load(5) }
      await #expect(throws: CacheError.self) { try await load(6) }
      #expect(source.calls == 6)
    }
    #expect(feature.isQuiet)
  }

  @Test func `an explicit reload is never held back, and its value closes the breaker (F10, B390)`()
    async throws
  {
    let clock = ManualClock()
    let feature = try features(clock, Self.policy())
    let source = CountingProducer<Int> { run in
      if run > 7 { return run }
      throw EngineError.net
    }
    let load = feature.cached("load") { (_: Int) in try await source() }
    try await clock.run {
      try await clock.settle()
      await fail(5) { try await load($0) }
      for _ in 0..<2 {
        await #expect(throws: EngineError.net) { try await load(1, mode: .reload) }
      }
      await #expect(throws: CacheError.self) { try await load(2) }
      #expect(source.calls == 7)
      #expect(try await load(1, mode: .reload) == 8)
      #expect(try await load(2) == 9)
    }
  }

  @Test
  func `errors that do not count, cancellations and impatient callers leave it closed (F10, B390)`()
    async throws
  {
    let clock = ManualClock()
    let feature = try features(
      clock,
      Self.policy { $0.failures = FailureRule { !($0 is NoSuchUser) } }
    )
    let source = CountingProducer<Int> { _ in throw NoSuchUser() }
    let load = feature.cached("load") { (_: Int) in try await source() }
    let gate = GatedProducer<Int>()
    var impatient = CachePolicy()
    impatient.hardTimeout = .seconds(1)
    let hung = feature.cached("hung", policy: impatient) { (_: Int) in try await gate() }
    try await clock.run {
      try await clock.settle()
      await fail(50) { try await load($0) }
      #expect(source.calls == 50)
      let callers = (0..<9).map { key in clock.startTask { try await hung(key) } }
      try await clock.advance(by: .seconds(2))
      for caller in callers { await #expect(throws: CacheError.self) { try await caller.value } }
      let cancelled = (10..<19).map { key in clock.startTask { try await hung(key) } }
      try await clock.settle()
      for caller in cancelled { caller.cancel() }
      try await clock.settle()
      for key in 20..<40 { gate.release(key) }
      #expect(try await hung(40) > 0)
    }
    #expect(feature.statistics.breakerOpenings == 0)
  }

  @Test func `a load that hangs counts when it is given up, once, after its retries (F10, B390)`()
    async throws
  {
    let clock = ManualClock()
    let feature = try features(
      clock,
      Self.policy {
        $0.abandonAfter = .seconds(3)
        $0.failuresToBackOff = 2
        $0.retries = Retries(3, pause: .seconds(0.001))
      }
    )
    let source = CountingProducer<Int>.hanging()
    let load = feature.cached("hung") { (_: Int) in try await source() }
    let failing = CountingProducer<Int>.failing(EngineError.net)
    let again = feature.cached("again") { (_: Int) in try await failing() }
    try await clock.run {
      for key in 0..<2 {
        let caller = clock.startTask { try await load(key) }
        try await clock.advance(by: .seconds(3))
        let error = await #expect(throws: CacheError.self) { try await caller.value }
        #expect(error?.code == .abandoned)
      }
      let error = await #expect(throws: CacheError.self) { try await load(9) }
      #expect(error?.code == .backingOff)
      #expect(source.calls == 2)
      let first = clock.startTask { try await again(1) }
      try await clock.advance(by: .seconds(1))
      await #expect(throws: EngineError.net) { try await first.value }
      #expect(failing.calls == 4)
      #expect(feature.statistics.breakerOpenings == 1)
    }
  }

  @Test(arguments: [BreakerScope.function, .feature, .off])
  func `functions share a breaker only where the policy says so (F10, B390)`(
    scope: BreakerScope
  ) async throws {
    let clock = ManualClock()
    let feature = try features(clock, Self.policy { $0.breaker = scope })
    let source = CountingProducer<Int>.failing(EngineError.net)
    let one = feature.cached("one") { (_: Int) in try await source() }
    let other = feature.cached("other") { (id: Int) in id }
    try await clock.run {
      try await clock.settle()
      await fail(9) { try await one($0) }
      #expect(source.calls == (scope == .off ? 9 : 5))
      if scope == .feature {
        await #expect(throws: CacheError.self) { try await other(1) }
        await #expect(throws: CacheError.self) { try await feature.cached(key: "k") { 1 } }
      } else {
        #expect(try await other(1) == 1)
      }
    }
  }

  @Test
  func
    `calls that name no function have no breaker; a cache has one, under every scope (F10, B390)`()
    async throws
  {
    let clock = ManualClock()
    let feature = try features(clock, Self.policy())
    let source = CountingProducer<Int>.failing(EngineError.net)
    let byKey = feature.cached(key: { "k/\($0)" }) { (_: Int) in try await source() }
    let cache = feature.cache(Int.self, Int.self)
    try await clock.run {
      try await clock.settle()
      await fail(9) { try await byKey($0) }
      await fail(9) { key in try await feature.cached(key: "i/\(key)") { try await source() } }
      #expect(source.calls == 18)
      for (index, user) in ["ada", "ben", "cy"].enumerated() {
        await Caches.withScope(["user": user]) {
          await fail(3, from: 3 * index) { key in
            try await cache.cached(key) { try await source() }
          }
        }
      }
      #expect(source.calls == 23)
    }
  }

  @Test func `a batch is one load for the breaker of its feature (F10, B390)`() async throws {
    let clock = ManualClock()
    let feature = try features(
      clock,
      Self.policy {
        $0.breaker = .feature
        $0.failuresToBackOff = 3
      }
    )
    let source = CountingProducer<[Int: Int]>.failing(EngineError.net)
    let batch = feature.cachedBatch(key: { "n/\($0)" }, maximumBatchSize: 10) { (_: [Int]) in
      try await source()
    }
    try await clock.run {
      try await clock.settle()
      for round in 0..<2 {
        await #expect(throws: EngineError.net) { try await batch(Array(0..<100)) }
        #expect(source.calls == 10 * (round + 1))
      }
      #expect(feature.statistics.breakerOpenings == 0)
      await #expect(throws: EngineError.net) { try await batch([1]) }
      let outcomes = await batch.outcomes([1, 2])
      for (_, result) in outcomes {
        let error = #expect(throws: CacheError.self) { try result.get() }
        #expect(error?.code == .backingOff)
      }
      #expect(source.calls == 21)
    }
    #expect(feature.isQuiet)
  }

  @Test func `a probe that is cancelled, or hangs, gives its place to another (F10, B390)`()
    async throws
  {
    let clock = ManualClock()
    let feature = try features(clock, Self.policy())
    let source = CountingProducer<Int>.failing(EngineError.net)
    let gate = GatedProducer<Int>(honoursCancellation: false)
    let isDown = Lock(true)
    let load = feature.cached("load") { (_: Int) in
      isDown.withLock { $0 } ? try await source() : try await gate()
    }
    try await clock.run {
      try await clock.settle()
      await fail(5) { try await load($0) }
      isDown.withLock { $0 = false }
      try await clock.advance(by: .seconds(10))
      let cancelled = clock.startTask { try await load(10) }
      try await clock.settle()
      await #expect(throws: CacheError.self) { try await load(11) }
      cancelled.cancel()
      try await clock.settle()
      let hung = clock.startTask { try await load(12) }
      try await clock.settle()
      #expect(gate.calls == 2)
      await #expect(throws: CacheError.self) { try await load(13) }
      try await clock.advance(by: .seconds(10))
      let third = clock.startTask { try await load(14) }
      try await clock.settle()
      #expect(gate.calls == 3)
      for value in 1...3 { gate.release(value) }
      #expect(try await third.value > 0)
      #expect(try await hung.value > 0)
      try await clock.settle()
    }
    #expect(feature.statistics.breakerOpenings == 1)
    #expect(feature.isQuiet)
  }

  @Test func `callbacks are held back as other loads are (F10, B390)`() async throws {
    let clock = ManualClock()
    let cache = try Cache<String, Int>(
      name: "f",
      policy: Self.policy(),
      time: clock.timeSource
    ) {
      Memory(.count(100))
    }
    let runs = EventRecorder<Int>()
    let codes = EventRecorder<CacheError.Code?>()
    try await clock.run {
      try await clock.settle()
      for key in 0..<9 {
        cache.load(
          "\(key)",
          block: { _, failure in
            runs.record(key)
            failure(EngineError.net)
          },
          completion: { result in
            if case .failure(let error) = result { codes.record((error as? CacheError)?.code) }
          }
        )
      }
      #expect(runs.events == [0, 1, 2, 3, 4])
      #expect(
        codes.events == Array(repeating: nil, count: 5) + Array(repeating: .backingOff, count: 4)
      )
    }
    #expect(cache.isQuiet)
  }
}
