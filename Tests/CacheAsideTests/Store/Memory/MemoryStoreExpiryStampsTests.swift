import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct MemoryStoreExpiryStampsTests {
  let clock = ManualClock()
  let stamps = InvalidationStamps()
  let store: MemoryStore<Int, Int>

  init() throws {
    store = try MemoryStore(
      limits: .count(1_000),
      exact: true,
      time: clock.timeSource,
      stamps: stamps
    )
  }

  private var now: Int64 { clock.timeSource.precise }

  private func insert(_ key: Int, life: Int64? = nil, kept: Int64 = 0, ifError: Int64 = 0) {
    let deadline = life.map { now + $0 } ?? .max
    store.insert(
      key,
      for: key,
      hash: store.hash(of: key),
      storedAt: now,
      deadline: deadline,
      keptUntil: Lifetime.sum(deadline, kept),
      cost: 1,
      terms: EntryTerms(staleIfError: ifError, tags: ["a"], begun: stamps.now)
    )
  }

  private func expire(staleIfError: Int64 = 0, keepExpired: Int64 = 0) {
    let moment = Moment(monotonic: now, wall: 0)
    stamps.stamp(
      tags: ["a"],
      HandExpiry(now: moment, staleIfError: staleIfError, keepExpired: keepExpired)
    )
    store.invalidateSelectable(expires: true)
  }

  @Test func `an entry without an end expires where nothing needed a clock`() {
    insert(1)
    #expect(!store.hasDeadlines)
    expire()
    #expect(store.value(for: 1) == nil)
    #expect(store.peek(1) == nil)
    #expect(store.entry(for: 1) == nil)
  }

  @Test(arguments: [1, 34_560_000_000_000_000] as [Int64])
  func `in ticks too, hits stay what they are when what was expired has been found`(
    keepExpired: Int64
  ) throws {
    let store = try MemoryStore<Int, Int>(limits: .count(100), exact: true, stamps: stamps)
    func insert(_ key: Int, _ tags: [CacheAside.Tag]) {
      store.insert(
        key,
        for: key,
        hash: store.hash(of: key),
        storedAt: store.clockNow(),
        deadline: .max,
        cost: 1,
        terms: tags.isEmpty ? nil : EntryTerms(tags: tags, begun: stamps.now)
      )
    }
    insert(1, ["a"])
    insert(2, ["b"])
    insert(3, [])
    let moment = Moment(monotonic: store.clockNow(), wall: 0)
    stamps.stamp(tags: ["a"], HandExpiry(now: moment, staleIfError: 0, keepExpired: keepExpired))
    store.invalidateSelectable(expires: true)
    for _ in 0..<2 {
      #expect(store.value(for: 2) == 2)
      #expect(store.value(for: 3) == 3)
      #expect(store.value(for: 1) == nil)
      #expect((store.entry(for: 1) == nil) == (keepExpired == 1))
      store.removeExpired()
    }
    stamps.stamp(tags: ["none"], HandExpiry(now: moment, staleIfError: 0, keepExpired: 0))
    store.invalidateSelectable(expires: true)
    store.removeExpired()
    #expect(store.value(for: 2) == 2)
    #expect(store.value(for: 3) == 3)
  }

  @Test(arguments: [true, false])
  func `an entry is expired at the moment of its stamp, whenever it is looked at`(
    sweeps: Bool
  ) async throws {
    insert(1, life: 1_000, kept: 500, ifError: 500)
    try await clock.advance(by: .nanoseconds(100))
    let moment = now
    expire(staleIfError: 200)
    if sweeps { store.removeExpired() }
    try await clock.advance(by: .nanoseconds(150))
    expire(staleIfError: 200)
    let entry = try #require(store.entry(for: 1))
    #expect(entry.deadline == moment)
    #expect(entry.keptUntil == moment + 200)
    #expect(entry.terms?.isExpiredByHand == true)
    #expect(entry.terms?.staleIfError == 200)
    #expect(store.value(for: 1) == nil)
  }

  @Test func `an expiry prolongs nothing, and what is not kept leaves`() async throws {
    let start = now
    insert(1, life: 10, kept: 20, ifError: 20)
    insert(2, life: 100)
    try await clock.advance(by: .nanoseconds(25))
    expire(staleIfError: 1_000)
    #expect(store.entry(for: 1)?.keptUntil == start + 30)
    #expect(store.entry(for: 2)?.keptUntil == start + 100)
    #expect(store.value(for: 2) == nil)
    insert(3, life: 100)
    #expect(store.value(for: 3) == 3)
    expire()
    #expect(store.keys().isEmpty)
    store.removeExpired()
    #expect(store.count == 0)
    #expect(store.counters.expired == 3)
    #expect(!store.needsSweep)
  }

  @Test func `a load that began before an expiry is refused, a later one is fresh`() {
    let begun = stamps.now
    insert(1)
    expire(staleIfError: 10)
    let isStored = store.insert(
      2,
      for: 1,
      hash: store.hash(of: 1),
      storedAt: now,
      deadline: .max,
      cost: 1,
      terms: EntryTerms(tags: ["a"], begun: begun)
    )
    #expect(!isStored)
    insert(1)
    #expect(store.value(for: 1) == 1)
    store.removeExpired()
    #expect(store.value(for: 1) == 1)
  }

  @Test func `a removal after an expiry takes what is still kept`() {
    insert(1, life: 100, kept: 100, ifError: 100)
    expire(staleIfError: 100)
    #expect(store.entry(for: 1) != nil)
    stamps.stamp(tags: ["a"])
    store.invalidateSelectable()
    #expect(store.entry(for: 1) == nil)
  }
}
