import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct NegativeCachingTests {
  private struct Missing: Error, Equatable { var number = 0 }

  @Test(arguments: Setup.allCases)
  func `P9 nil has a lifetime of its own, values keep theirs`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(expiry: .seconds(100))
    policy.negativeExpiry = .seconds(5)
    let cache = try fixture.open(Int?.self, policy: policy)
    let producer = CountingProducer<Int?> { run in run == 2 ? 7 : nil }
    for _ in 0..<3 { #expect(try await cache.cached("k") { try await producer() } == nil) }
    #expect(producer.calls == 1)
    try await fixture.clock.advance(by: .seconds(5))
    for _ in 0..<3 { #expect(try await cache.cached("k") { try await producer() } == 7) }
    #expect(producer.calls == 2)
    try await fixture.clock.advance(by: .seconds(99))
    #expect(try await cache.cached("k") { try await producer() } == 7)
    // The producer knows better.
    let said = try await cache.outcome("said") { Produced(nil, expiry: .seconds(50)) }
    #expect(said.remainingLife == .seconds(50))
  }

  @Test(arguments: Setup.allCases)
  func `P9 zero stores no nil`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    var policy = CachePolicy(expiry: .seconds(100))
    policy.negativeExpiry = .seconds(0)
    let cache = try fixture.open(Int?.self, policy: policy)
    let producer = CountingProducer<Int?> { _ in nil }
    for _ in 0..<3 { #expect(try await cache.cached("k") { try await producer() } == nil) }
    #expect(producer.calls == 3)
    #expect(try await fixture.isEmpty(cache))
  }

  @Test(arguments: Setup.allCases)
  func `P2 an error is remembered only if its type is named, for its time`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let policy = CachePolicy(expiry: .seconds(100)).cachingErrors(
      of: Missing.self,
      for: .seconds(5)
    )
    let cache = try fixture.open(policy: policy)
    let producer = CountingProducer<Int> { run in throw Missing(number: run) }
    for _ in 0..<3 {
      await #expect(throws: Missing(number: 1)) {
        try await cache.cached("k") { try await producer() }
      }
    }
    #expect(producer.calls == 1)
    try await fixture.clock.advance(by: .seconds(5))
    await #expect(throws: Missing(number: 2)) {
      try await cache.cached("k") { try await producer() }
    }
    let other = CountingProducer<Int>.failing(EngineError.net)
    for _ in 0..<2 {
      await #expect(throws: EngineError.net) {
        try await cache.cached("other") { try await other() }
      }
    }
    #expect(other.calls == 2)
    #expect(cache.statistics.lookups == 6)
  }

  @Test(arguments: [Expiry.seconds(.nan), .seconds(-1), .after(.seconds(-1)), .hours(-1e300)])
  func `C1 a time for errors that says nothing is refused where it is set`(expiry: Expiry)
    async throws
  {
    let policy = CachePolicy().cachingErrors(of: EngineError.self, for: .never)
      .cachingErrors(of: Missing.self, for: expiry)
    let feature = #expect(throws: CacheError.self) {
      try Caches { Feature("f", policy: policy) { Memory() } }
    }
    #expect(feature?.code == .invalidConfiguration)
    let cache = try CacheFixture(.memory).open()
    let producer = CountingProducer.returning(1)
    let call = await #expect(throws: CacheError.self) {
      try await cache.cached("k", policy: policy) { try await producer() }
    }
    #expect(call?.code == .invalidExpiry)
    #expect(producer.calls == 0)
    for message in [feature?.message, call?.message] {
      #expect(message?.contains("cachingErrors(of: Missing.self, for:)") == true)
      #expect(message?.contains("allowed are") == true)
    }
  }

  @Test func `zero remembers no error, where more was inherited`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: CachePolicy().cachingErrors(of: Missing.self, for: .never))
    let none = CachePolicy().cachingErrors(of: Missing.self, for: .seconds(0))
    for _ in 0..<2 {
      await #expect(throws: Missing.self) {
        try await cache.cached("k", policy: none) { throw Missing() }
      }
    }
    #expect(try await cache.cached("k") { 1 } == 1)
  }

  @Test func `P2 a cancellation is never remembered`() async throws {
    let fixture = try CacheFixture(.memory)
    let policy = CachePolicy().cachingErrors(of: CancellationError.self, for: .never)
      .cachingErrors(of: (any Error).self, for: .never)
    let cache = try fixture.open(policy: policy)
    await #expect(throws: CancellationError.self) {
      try await cache.cached("k") { throw CancellationError() }
    }
    #expect(try await cache.cached("k") { 1 } == 1)
  }

  @Test(arguments: ["remove", "expire", "set", "removeAll", "reload"])
  func `what changes the key forgets its error`(verb: String) async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: CachePolicy().cachingErrors(of: Missing.self, for: .never))
    await #expect(throws: Missing.self) { try await cache.cached("k") { throw Missing() } }
    await #expect(throws: Missing.self) { try await cache.cached("k") { 1 } }
    switch verb {
    case "remove": try await cache.remove("k")
    case "expire": try await cache.expire("k")
    case "removeAll": try await cache.removeAll()
    case "reload": _ = try await cache.outcome("k", mode: .reload) { Produced(2) }
    default: try await cache.set(2, for: "k")
    }
    #expect(try await cache.cached("k") { 2 } == 2)
  }

  @Test func `a write at once forgets what a call's own policy remembered`() async throws {
    let cache = try CacheFixture(.memory).open()
    let policy = CachePolicy().cachingErrors(of: Missing.self, for: .never)
    await #expect(throws: Missing.self) {
      try await cache.cached("k", policy: policy) { throw Missing() }
    }
    cache["k"] = 2
    #expect(cache["k"] == 2)
    cache.removeFromMemory("k")
    #expect(try await cache.cached("k", policy: policy) { 3 } == 3)
  }

  @Test func `a fallback for a failing load beats the remembered error`() async throws {
    let fixture = try CacheFixture(.memory)
    let policy = CachePolicy(expiry: .seconds(5), staleIfError: .seconds(5))
      .cachingErrors(of: Missing.self, for: .seconds(100))
    let cache = try fixture.open(policy: policy)
    try await cache.set(1, for: "k")
    try await fixture.clock.advance(by: .seconds(5))
    #expect(try await cache.cached("k") { throw Missing() } == 1)
    try await fixture.clock.advance(by: .seconds(5))
    await #expect(throws: Missing.self) { try await cache.cached("k") { throw Missing() } }
  }
}
