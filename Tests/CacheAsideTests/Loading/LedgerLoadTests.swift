import CacheAsideTesting
import Testing

@testable import CacheAside

/// Two caches on one folder, as in two processes: one loads while the other changes something.
@Suite(.timeLimit(.minutes(60))) struct LedgerLoadTests {
  let clock = ManualClock()
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private typealias Faults = FaultInjectingStore<DiskStore>

  private func open() throws -> (cache: Cache<String, Int>, faults: Faults) {
    let store = FaultInjectingStore(
      try DiskStore(directory: folder.path + "/cache", limit: .unlimited)
    )
    let cache = try Cache<String, Int>(
      name: "feature",
      policy: CachePolicy(expiry: .seconds(1_000), staleIfError: .seconds(100)),
      time: clock.timeSource
    ) { Store(store) }
    return (cache, store)
  }

  @Test func `a load whose read has failed is stored with where the ledger stands now`()
    async throws
  {
    let (cache, faults) = try open()
    let (other, _) = try open()
    try await other.remove(.tag("u"))
    #expect(try await cache.value(for: "k") == nil)
    try await other.remove(.tag("t"))
    faults.inject(.fail(EngineError.net), on: .read, times: 1)
    #expect(try await cache.cached("k") { Produced(1, tags: ["t"]) } == 1)
    #expect(try await cache.value(for: "k") == 1)
    #expect(try await other.value(for: "k") == 1)
  }

  enum Removal: CaseIterable, Sendable { case all, tag, expire }

  @Test(arguments: Removal.allCases)
  func `a load that another process's invalidation has reached replaces nothing newer`(
    removal: Removal
  ) async throws {
    let (cache, _) = try open()
    let (other, _) = try open()
    let gate = Gate()
    let load = Task {
      try await cache.cached("k") {
        await gate.waitIgnoringCancellation()
        return Produced(1, tags: ["t"])
      }
    }
    try await gate.waitForArrivals(1)
    switch removal {
    // The folder has no ledger yet.
    case .all: try await other.removeAll()
    case .tag: try await other.remove(.tag("t"))
    case .expire: try await other.expire(.tag("t"))
    }
    try await other.set(2, for: "k")
    gate.open()
    #expect(try await load.value == 1)
    #expect(try await other.value(for: "k") == 2)
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test func `what another process removes in a folder without a ledger is not stored by a load`()
    async throws
  {
    let (cache, _) = try open()
    let (other, _) = try open()
    let gate = Gate()
    let load = Task {
      try await cache.cached("k") {
        await gate.waitIgnoringCancellation()
        return 1
      }
    }
    try await gate.waitForArrivals(1)
    try await other.removeAll()
    gate.open()
    #expect(try await load.value == 1)
    #expect(try await other.value(for: "k") == nil)
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test(arguments: [false, true])
  func `the repetition of a failed removal leaves what another process has stored since`(
    lists: Bool
  ) async throws {
    let (cache, faults) = try open()
    let (other, _) = try open()
    try await cache.set(1, for: "k")
    faults.inject(.fail(EngineError.net), on: .remove, times: 1)
    await #expect(throws: CacheError.self) { try await cache.remove("k") }
    try await clock.advance(by: .microseconds(1))
    try await other.set(2, for: "k")
    if lists { #expect(try await cache.entries().count == 1) }
    #expect(try await cache.value(for: "k") == 2)
    #expect(try await other.value(for: "k") == 2)
  }

  @Test func `the repetition of a failed removal takes what was there`() async throws {
    let (cache, faults) = try open()
    try await cache.set(1, for: "k")
    faults.inject(.fail(EngineError.net), on: .remove, times: 2)
    await #expect(throws: CacheError.self) { try await cache.remove("k") }
    try await clock.advance(by: .seconds(1))
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.value(for: "k") == nil)
    let (other, _) = try open()
    #expect(try await other.value(for: "k") == nil)
  }

  @Test func `a repetition that fails is still for what was there at first`() async throws {
    let (cache, faults) = try open()
    let (other, _) = try open()
    try await cache.set(1, for: "k")
    faults.inject(.fail(EngineError.net), on: .remove, times: 1)
    await #expect(throws: CacheError.self) { try await cache.remove("k") }
    try await clock.advance(by: .microseconds(1))
    try await other.set(2, for: "k")
    try await clock.advance(by: .seconds(1))
    faults.inject(.fail(EngineError.net), on: .read, times: 1)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await cache.value(for: "k") == 2)
  }

  @Test func `the first thing that a cache does may be an expiry`() async throws {
    let (cache, _) = try open()
    try await cache.remove(.tag("t"))
    try await cache.set(1, for: "k", tags: ["t"])
    let (other, _) = try open()
    try await other.expire("k")
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await other.entry(for: "k")?.value == 1)
  }

  @Test func `a record that is removed elsewhere while it is changed does not come back`()
    async throws
  {
    let (cache, _) = try open()
    let (other, _) = try open()
    try await other.remove(.tag("u"))
    try await cache.set(1, for: "k", tags: ["t"])
    let sweep = TierSweep.change(Namespace("feature"), where: { _, _ in true }) { record in
      do { try other.removeBlocking(.tag("t")) } catch { Issue.record(error) }
      return record
    }
    try await cache.core.tiers[0].perform(sweep)
    #expect(try await cache.entry(for: "k") == nil)
    #expect(try await other.entry(for: "k") == nil)
  }
}
