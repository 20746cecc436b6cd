import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Two caches on one folder, each with memory and a store of its own, as in two processes.
@Suite(.timeLimit(.minutes(60))) struct LedgerSharingTests {
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

  enum First: CaseIterable, Sendable { case load, read, set, setBlocking, update }

  @Test(arguments: First.allCases)
  func `what another process removed while the first value was on its way leaves memory, too`(
    first: First
  ) async throws {
    let fixture = try CacheFixture(.memoryAndDisk)
    let other = try fixture.open(policy: Self.policy)
    let own = Lock<Cache<String, Int>?>(nil)
    // The cost is asked for when the value is about to come into memory.
    let cache = try fixture.open(Int.self, policy: Self.policy) { _ in
      guard let cache = own.withLock({ $0.take() }) else { return 1 }
      do { try other.removeBlocking(.tag("red")) } catch { Issue.record(error) }
      // Another look at the ledger.
      #expect(cache["absent"] == nil)
      return 1
    }
    try await fixture.clock.run {
      if first == .read { try await other.set(1, for: "k", tags: ["red"]) }
      own.withLock { $0 = cache }
      switch first {
      case .load: #expect(try await cache.cached("k") { Produced(1, tags: ["red"]) } == 1)
      case .read: #expect(try await cache.value(for: "k") == 1)
      case .set: try await cache.set(1, for: "k", tags: ["red"])
      case .setBlocking: try cache.setBlocking(1, for: "k", tags: ["red"])
      case .update: try await cache.update("k", tags: ["red"]) { $0 = 1 }
      }
      #expect(own.withLock { $0 == nil })
      try await fixture.clock.advance(by: .seconds(1))
      #expect(cache.peek("k") == nil)
      // An update reaches memory first: its record is newer than the removal.
      if first != .update { #expect(try await cache.value(for: "k") == nil) }
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
