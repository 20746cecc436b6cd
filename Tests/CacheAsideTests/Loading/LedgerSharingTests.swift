import CacheAsideTesting
import Testing

@testable import CacheAside

/// Two caches on one folder, each with memory and a store of its own, as in two processes.
@Suite(.timeLimit(.minutes(5))) struct LedgerSharingTests {
  private static let policy = CachePolicy(expiry: .seconds(1_000), staleIfError: .seconds(100))

  @Test func `a removal by tag reaches another process's store at once, its memory in a second`()
    async throws
  {
    let fixture = try CacheFixture(.memoryAndDisk)
    let (cache, other) = (
      try fixture.open(policy: Self.policy), try fixture.open(policy: Self.policy)
    )
    try await fixture.clock.run {
      #expect(try await cache.cached("k") { Produced(1, tags: ["red"]) } == 1)
      #expect(try await cache.cached("plain") { 7 } == 7)
      try await other.remove(.tag("red"))
      #expect(try await other.value(for: "k") == nil)
      #expect(try await other.value(for: "plain") == 7)
      try await fixture.clock.advance(by: .seconds(1))
      #expect(cache.peek("k") == nil)
      #expect(cache.peek("plain") == 7)
      #expect(try await cache.cached("k") { Produced(2, tags: ["red"]) } == 2)
      // Its own process's removals do not come back to it.
      try await cache.remove(.tag("red"))
      #expect(try await cache.cached("k") { Produced(3, tags: ["red"]) } == 3)
      try await fixture.clock.advance(by: .seconds(2))
      #expect(cache.peek("k") == 3)
    }
  }

  @Test(arguments: [false, true])
  func `B015 a load that began before another process's removal is not stored`(
    everything: Bool
  ) async throws {
    let fixture = try CacheFixture(.disk)
    let (cache, other) = (
      try fixture.open(policy: Self.policy), try fixture.open(policy: Self.policy)
    )
    try await other.remove(.tag("first"))
    let producer = GatedProducer<Produced<Int>>()
    let reader = Task { try await cache.cached("k") { try await producer() } }
    try await producer.waitForRuns(1)
    try await other.remove(everything ? .all : .tag("red"))
    producer.release(Produced(1, tags: ["red"]))
    #expect(try await reader.value == 1)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await other.value(for: "k") == nil)
    #expect(try await cache.cached("k") { Produced(2, tags: ["red"]) } == 2)
    #expect(try await other.value(for: "k") == 2)
  }

  @Test func `what another process expired helps a failing load, as far as staleIfError`()
    async throws
  {
    let fixture = try CacheFixture(.memoryAndDisk)
    let (cache, other) = (
      try fixture.open(policy: Self.policy), try fixture.open(policy: Self.policy)
    )
    try await fixture.clock.run {
      #expect(try await cache.cached("k") { Produced(1, tags: ["red"]) } == 1)
      try await other.expire(.tag("red"))
      try await fixture.clock.advance(by: .seconds(1))
      #expect(cache.peek("k") == nil)
      #expect(try await cache.cached("k") { throw EngineError.boom } == 1)
      try await fixture.clock.advance(by: .seconds(99))
      await #expect(throws: EngineError.boom) {
        try await cache.cached("k") { throw EngineError.boom }
      }
    }
  }
}
