import CacheAsideTesting
import Testing

@testable import CacheAside

/// Callers that ask the slower tiers for one key at the same time.
@Suite(.timeLimit(.minutes(60)))
struct ReadingTogetherTests {
  private let fixture: TierFixture
  private var cache: Cache<String, Int> { fixture.cache }
  private let gate = Gate()

  init() throws { fixture = try TierFixture(.suspending, expiry: .minutes(10)) }

  /// A record in the store, none in memory, and a store that answers reads when the gate opens.
  private func prepare(_ value: Int = 7) async throws {
    try await cache.set(value, for: "k")
    cache.removeAllFromMemory()
    fixture.inject(.delay(gate), on: .read, times: nil)
  }

  private func readers(_ count: Int) -> [Task<Int?, any Error>] {
    (0..<count).map { _ in Task { [cache] in try await cache.value(for: "k") } }
  }

  private func reads(of fixture: TierFixture) -> Int {
    fixture.operations.filter { $0 == .read }.count
  }

  private func untilWaiting(_ count: Int) async {
    await until { cache.flights.readCounters.waiters == count }
  }

  /// What is looked at for readers who come at the same time.
  private func work(readers count: Int) async throws -> Int {
    let fixture = try TierFixture(.suspending, expiry: .minutes(10))
    let (cache, gate) = (fixture.cache, Gate())
    try await cache.set(7, for: "k")
    cache.removeAllFromMemory()
    fixture.inject(.delay(gate), on: .read, times: nil)
    let log = try await WorkLog.recording {
      let callers = (0..<count).map { _ in Task { try await cache.value(for: "k") } }
      await until { cache.flights.readCounters.waiters == count }
      gate.open()
      for caller in callers {
        let value = try await caller.value
        #expect(value == 7)
      }
    }
    #expect(reads(of: fixture) == 1)
    #expect(cache.isQuiet)
    #expect(cache.statistics.hits >= UInt64(count))
    return log[.waiter] + log[.storeCall] + log[.entry]
  }

  @Test func `readers of one key share one read of the store, and leave in O(1) (B378)`()
    async throws
  {
    let few = try await work(readers: 200)
    let many = try await work(readers: 2_000)
    #expect(many <= few * 12 + 100)
  }

  @Test func `F4 who reads after a removal does not join a read from before it (B378)`()
    async throws
  {
    try await prepare()
    let early = readers(2)
    await untilWaiting(2)
    try await cache.remove("k")
    let late = readers(1)
    await until { gate.arrivals == 2 }
    gate.open()
    for reader in early {
      let value = try await reader.value
      #expect(value == 7 || value == nil)
    }
    #expect(try await late[0].value == nil)
    #expect(try await cache.value(for: "k") == nil)
    #expect(cache.isQuiet)
  }

  @Test func `F4 who reads after a removal by tag does not take what was read before it (B378)`()
    async throws
  {
    try await cache.set(7, for: "k", tags: ["t"])
    cache.removeAllFromMemory()
    fixture.inject(.delay(gate), on: .read, times: nil)
    let early = readers(1)
    await untilWaiting(1)
    cache.core.mark(
      StoreInvalidation(.remove, .anyOf(["t"]), in: cache.core.namespace),
      nil
    )
    let late = readers(1)
    await untilWaiting(2)
    gate.open()
    _ = try await early[0].value
    _ = try await late[0].value
    // What was read before the removal was not the answer: the store was asked again.
    #expect(reads(of: fixture) == 2)
    #expect(cache.isQuiet)
  }

  @Test func `who is cancelled leaves at once, and the others look again for who had read (B378)`()
    async throws
  {
    let store = GatedStore(gate: gate)
    let cache = try Cache<String, Int>(name: "gated", expiry: .minutes(10)) {
      Memory()
      Store(store)
    }
    try await cache.set(7, for: "k")
    cache.removeAllFromMemory()
    func reader(_ waiting: Int) async -> Task<Int?, any Error> {
      let reader = Task { try await cache.value(for: "k") }
      await until { cache.flights.readCounters.waiters == waiting }
      return reader
    }
    let first = await reader(1)
    let second = await reader(2)
    let third = await reader(3)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await until { gate.arrivals == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await until { gate.arrivals == 2 }
    gate.open()
    #expect(try await third.value == 7)
    #expect(cache.isQuiet)
  }

  /// A store that answers reads when a gate opens, or the reader is cancelled.
  private struct GatedStore: CacheStore {
    let gate: Gate
    let base = PlainStore()
    let name = "gated"
    let capabilities: StoreCapabilities = []

    func entry(for key: CacheKey) async throws -> CacheEntry? {
      try await gate.wait()
      return try await base.entry(for: key)
    }

    func set(_ entry: CacheEntry, for key: CacheKey) async throws {
      try await base.set(entry, for: key)
    }

    func remove(_ key: CacheKey) async throws { try await base.remove(key) }

    func removeAll(in namespace: Namespace?) async throws {
      try await base.removeAll(in: namespace)
    }
  }

  @Test func `a failed read is everybody's failure under the fault policy fail (B378)`()
    async throws
  {
    let fixture = try TierFixture(.suspending, faultPolicy: .fail)
    let cache = fixture.cache
    fixture.inject(.delay(gate), on: .read, times: 1)
    let first = Task { try await cache.value(for: "k") }
    await until { cache.flights.readCounters.waiters == 1 }
    let second = Task { try await cache.value(for: "k") }
    await until { cache.flights.readCounters.waiters == 2 }
    gate.open()
    #expect(try await first.value == nil)
    #expect(try await second.value == nil)
    #expect(reads(of: fixture) == 1)
    #expect(cache.statistics.misses == 2)
    #expect(cache.isQuiet)
  }
}
