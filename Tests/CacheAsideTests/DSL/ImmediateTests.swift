import CacheAside
import CacheAsideTesting
import Testing

/// The immediate form, global and in a feature.
@Suite(.timeLimit(.minutes(60)))
struct ImmediateTests {
  private struct Failure: Error {}

  private let clock = ManualClock()
  private let caches: Caches

  init() { caches = .inMemory(time: clock.timeSource) }

  @Test
  func `a second call is a hit`() async throws {
    let producer = CountingProducer { $0 }
    try await Caches.withCurrent(caches) {
      for _ in 0..<3 {
        #expect(try await cached(key: "n/\(1)", expiry: .seconds(10)) { try await producer() } == 1)
      }
      try await clock.advance(by: .seconds(10))
      #expect(try await cached(key: "n/1") { try await producer() } == 2)
    }
    #expect(producer.calls == 2)
  }

  @Test
  func `modes and conditions hold for one call`() async throws {
    let feature = try caches["a"]
    let producer = CountingProducer { $0 }
    func call(_ mode: CacheMode = .default, when condition: Bool = true) async throws -> Int {
      try await feature.cached(key: "n", mode: mode, when: condition) { try await producer() }
    }
    #expect(try await call(when: false) == 1)
    let error = await #expect(throws: CacheError.self) { _ = try await call(.cacheOnly) }
    #expect(error?.code == .notCached)
    #expect(try await call() == 2)
    #expect(try await call(.bypass) == 3)
    #expect(try await call() == 2)
    #expect(try await call(.reload) == 4)
    #expect(try await call(.cacheOnly) == 4)
    #expect(try await call(.anyAge) == 4)
    #expect(try await call(.reload, when: false) == 5)
    #expect(try await call() == 4)
  }

  @Test
  func `storing and default hold for one call`() async throws {
    let feature = try caches["a"]
    let producer = CountingProducer { $0 }
    let failing = CountingProducer<Int>.failing(Failure())
    #expect(try await feature.cached(key: "n", storing: { $0 > 1 }) { try await producer() } == 1)
    #expect(try await feature.cached(key: "n", storing: { $0 > 1 }) { try await producer() } == 2)
    #expect(try await feature.cached(key: "n") { try await producer() } == 2)
    #expect(try await feature.cached(key: "m", default: -1) { try await failing() } == -1)
    await #expect(throws: Failure.self) {
      _ = try await feature.cached(key: "m") { try await failing() }
    }
    await #expect(throws: CancellationError.self) {
      _ = try await feature.cached(key: "m", default: -1) { throw CancellationError() }
    }
  }

  @Test
  func `a producer that decides beats the call, the call the feature`() async throws {
    let feature = try Caches(time: clock.timeSource) {
      Feature("a", expiry: .seconds(30)) { Memory() }
    }["a"]
    _ = try await feature.cached(key: "producer", expiry: .seconds(20)) {
      Produced(1, expiry: .seconds(10))
    }
    _ = try await feature.cached(key: "call", expiry: .seconds(20)) { Produced(1) }
    _ = try await feature.cached(key: "feature") { 1 }
    let skipped = try await feature.cached(key: "skipped") { Produced(1, isStored: false) }
    #expect(skipped == 1)
    let table = feature.cache(CacheKey.self, Int.self)
    #expect(table.peek("skipped") == nil)
    for (elapsed, alive) in [(9, 3), (1, 2), (10, 1), (10, 0)] {
      try await clock.advance(by: .seconds(elapsed))
      let keys: [CacheKey] = ["producer", "call", "feature"]
      #expect(keys.count { table.peek($0) != nil } == alive)
    }
  }

  @Test
  func `an expiry that is not a number is refused before anything runs`() async throws {
    let feature = try caches["a"]
    let producer = CountingProducer { $0 }
    let call = await #expect(throws: CacheError.self) {
      _ = try await feature.cached(key: "n", expiry: .seconds(.nan)) { try await producer() }
    }
    #expect(call?.code == .invalidExpiry)
    #expect(producer.calls == 0)
    let answer = await #expect(throws: CacheError.self) {
      _ = try await feature.cached(key: "n") { Produced(1, expiry: .seconds(.nan)) }
    }
    #expect(answer?.code == .invalidExpiry)
  }

  @Test
  func `optional, empty and zero-size values are values`() async throws {
    let feature = try caches["a"]
    let producer = CountingProducer<Int?>.returning(nil)
    for _ in 0..<2 {
      #expect(try await feature.cached(key: "nil") { try await producer() } == nil)
    }
    #expect(producer.calls == 1)
    let empty = CountingProducer<Void>.returning(())
    for _ in 0..<2 { try await feature.cached(key: "void") { try await empty() } }
    #expect(empty.calls == 1)
  }

  @Test
  func `forms that differ by an Optional are one value`() async throws {
    let feature = try caches["a"]
    let producer = CountingProducer { $0 }
    let plain: Int = try await feature.cached(key: "n") { try await producer() }
    let optional = try await feature.cached(key: "n") { () -> Int? in try await producer() }
    #expect(plain == 1 && optional == 1)
    #expect(producer.calls == 1)
  }
}
