import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A reader that starts over has two loads of its key under way: the first that answers is for all.
@Suite(.timeLimit(.minutes(60)))
struct HedgedLoadTests {
  private static let policy = CachePolicy(
    expiry: .seconds(10),
    staleWhileRevalidate: .seconds(5)
  )

  /// A load in the background, somebody who waits for it, and somebody who started over.
  private struct Race {
    let cache: Cache<String, Int>
    let clock: ManualClock
    let old = GatedProducer<Int>()
    let new = GatedProducer<Int>()
    let joined: Task<Int, any Error>
    let startedOver: Task<Int, any Error>

    init(_ fixture: CacheFixture, _ policy: CachePolicy = HedgedLoadTests.policy) async throws {
      try await self.init(try fixture.open(policy: policy), fixture.clock)
    }

    init(
      _ cache: Cache<String, Int>,
      _ clock: ManualClock,
      expiryOfNew expiry: Expiry? = nil
    ) async throws {
      (self.cache, self.clock) = (cache, clock)
      let (old, new) = (self.old, self.new)
      #expect(try await cache.cached("k") { 1 } == 1)
      try await clock.advance(by: .milliseconds(14_500))
      #expect(try await cache.cached("k") { try await old() } == 1)
      try await clock.advance(by: .milliseconds(600))
      joined = clock.startTask { try await cache.cached("k") { try await old() } }
      try await clock.settle()
      try await clock.advance(by: .milliseconds(600))
      startedOver = clock.startTask {
        try await cache.outcome("k") { Produced(try await new(), expiry: expiry) }.value
      }
      try await clock.settle()
      #expect(old.calls == 1)
      #expect(new.calls == 1)
    }

    func stored() async throws -> Int? {
      try await clock.settle()
      return try await cache.value(for: "k")
    }
  }

  @Test(arguments: Setup.allCases)
  func `F1 the load that was overdue answers first (B314)`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.clock.run {
      let race = try await Race(fixture)
      race.old.release(2)
      #expect(try await race.stored() == 2)
      #expect(race.new.cancellations == 1)
      race.new.release(3)
      #expect(try await race.joined.value == 2)
      #expect(try await race.startedOver.value == 2)
      #expect(try await race.stored() == 2)
      #expect(race.cache.statistics.loadFailures == 0)
      #expect(race.cache.isQuiet)
    }
  }

  @Test(arguments: Setup.allCases)
  func `the load that started over answers first (B314)`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.clock.run {
      let race = try await Race(fixture)
      race.new.release(3)
      #expect(try await race.stored() == 3)
      #expect(race.old.cancellations == 1)
      race.old.release(2)
      #expect(try await race.joined.value == 3)
      #expect(try await race.startedOver.value == 3)
      #expect(try await race.stored() == 3)
      #expect(race.cache.isQuiet)
    }
  }

  @Test(arguments: Setup.allCases)
  func `a load that fails leaves the other alone (B314)`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.clock.run {
      let race = try await Race(fixture)
      race.new.fail(EngineError.boom)
      await #expect(throws: EngineError.boom) { try await race.startedOver.value }
      let third = GatedProducer<Int>()
      let cache = race.cache
      let later = race.clock.startTask { try await cache.cached("k") { try await third() } }
      try await race.clock.settle()
      #expect(third.calls == 1)
      race.old.release(2)
      #expect(try await race.stored() == 2)
      #expect(third.cancellations == 1)
      third.release(4)
      #expect(try await race.joined.value == 2)
      #expect(try await later.value == 2)
      #expect(race.cache.isQuiet)
    }
  }

  @Test(arguments: Setup.allCases)
  func `a stale value instead of an answer leaves the other alone (B314)`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    var policy = Self.policy
    policy.staleIfError = .seconds(100)
    try await fixture.clock.run { [policy] in
      let race = try await Race(fixture, policy)
      race.new.fail(EngineError.boom)
      #expect(try await race.startedOver.value == 1)
      try await race.clock.settle()
      #expect(race.old.cancellations == 0)
      race.old.release(2)
      #expect(try await race.joined.value == 2)
      #expect(try await race.stored() == 2)
      #expect(race.cache.isQuiet)
    }
  }

  @Test(arguments: Setup.allCases, [true, false])
  func `a removal closes both (B314)`(setup: Setup, isOldFirst: Bool) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.clock.run {
      let race = try await Race(fixture)
      try await race.cache.remove("k")
      if isOldFirst { race.old.release(2) } else { race.new.release(3) }
      #expect(try await race.stored() == nil)
      if isOldFirst { race.new.release(3) } else { race.old.release(2) }
      #expect(try await race.joined.value == 2)
      #expect(try await race.startedOver.value == 3)
      #expect(try await race.stored() == nil)
      #expect(race.cache.isQuiet)
    }
  }

  @Test func `F4 a load from before a removal answers nobody who came after it (B314)`()
    async throws
  {
    let table = FlightTable<String, Int>(time: ManualClock().timeSource)
    let key = HashedKey(key: "k", hash: 1)
    let stripe = table.stripe(1)
    func enter() -> Flight<Int> {
      table.enter(key, supersedes: false, whenUnobserved: .finish, priority: .medium).flight
    }
    let before = enter()
    stripe.setOverdue(before, key)
    table.supersede("k", hash: 1)
    let overdue = enter()
    stripe.setOverdue(overdue, key)
    let newest = enter()
    table.claim(newest.registration, key: "k", hash: 1)
    #expect(stripe.remove(before.registration, for: key).isEmpty)
    #expect(stripe.remove(newest.registration, for: key).map(\.registration.isSuperseded) == [true])
    #expect(stripe.flights.count == 1)
    stripe.remove(overdue.registration, for: key)
    #expect(table.registrationCount == 0)
  }

  @Test func `F1 what is being stored is stored over by no other load (B314)`() async throws {
    let clock = ManualClock()
    let upper = FaultInjectingStore(PlainStore(), clock: clock)
    let lower = PlainStore()
    let cache = try Cache<String, Int>(
      name: "feature",
      policy: Self.policy,
      time: clock.timeSource
    ) {
      Memory(.count(100))
      Store(upper)
      Store(lower)
    }
    let later = try Cache<String, Int>(name: "feature", time: clock.timeSource) { Store(lower) }
    try await clock.run {
      let race = try await Race(cache, clock)
      let gate = Gate()
      upper.inject(.delay(gate), on: .write)
      race.old.release(2)
      try await gate.waitForArrivals(1)
      race.new.release(3)
      try await clock.settle()
      gate.open()
      #expect(try await race.joined.value == 2)
      #expect([2, 3].contains(try await race.startedOver.value))
      #expect(try await race.stored() == 2)
      #expect(try await later.value(for: "k") == 2)
      #expect(cache.isQuiet)
    }
  }

  @Test func `F1 a load that came second answers no callers but its own (B314)`() async throws {
    let clock = ManualClock()
    let store = FaultInjectingStore(PlainStore(), clock: clock)
    var policy = Self.policy
    policy.staleIfError = .seconds(100)
    let cache = try Cache<String, Int>(name: "feature", policy: policy, time: clock.timeSource) {
      Memory(.count(100))
      Store(store)
    }
    try await clock.run {
      let race = try await Race(cache, clock)
      race.startedOver.cancel()
      await #expect(throws: CancellationError.self) { try await race.startedOver.value }
      // Another load in the background, overdue in its turn, and a third.
      let second = GatedProducer<Int>()
      let third = GatedProducer<Int>()
      let atOnce = try await cache.outcome("k", mode: .cacheThenRefresh) {
        Produced(try await second())
      }
      #expect(atOnce.value == 1)
      let waiting = clock.startTask { try await cache.cached("k") { try await second() } }
      try await clock.settle()
      try await clock.advance(by: .milliseconds(1_100))
      let last = clock.startTask {
        try await cache.outcome("k") { Produced(try await third(), isStored: false) }.value
      }
      try await clock.settle()
      #expect(second.calls == 1)
      #expect(third.calls == 1)
      let gate = Gate()
      store.inject(.delay(gate), on: .write)
      race.old.release(2)
      try await gate.waitForArrivals(1)
      third.release(4)
      #expect(try await last.value == 4)
      try await clock.settle()
      #expect(second.cancellations == 0)
      gate.open()
      #expect(try await race.joined.value == 2)
      #expect(try await waiting.value == 2)
      #expect(try await race.stored() == 2)
      #expect(cache.isQuiet)
    }
  }

  @Test(arguments: Setup.allCases)
  func `F1 a refresh closes both, and each answers its own callers (B314)`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    try await fixture.clock.run {
      let race = try await Race(fixture)
      #expect(try await race.cache.refresh("k") { 5 } == 5)
      try await race.clock.settle()
      #expect(race.old.cancellations == 0)
      #expect(race.new.cancellations == 0)
      race.old.release(2)
      race.new.release(3)
      #expect(try await race.joined.value == 2)
      #expect(try await race.startedOver.value == 3)
      #expect(try await race.stored() == 5)
      #expect(race.cache.isQuiet)
    }
  }

  @Test func `F3 a load that cannot be stored fails no callers but its own (B314)`() async throws {
    let clock = ManualClock()
    let store = FaultInjectingStore(PlainStore(), clock: clock)
    let cache = try Cache<String, Int>(
      name: "feature",
      policy: Self.policy,
      time: clock.timeSource
    ) {
      Memory(.count(100))
      Store(store, faultPolicy: .fail)
    }
    try await clock.run {
      let race = try await Race(cache, clock)
      store.inject(.fail(EngineError.net), on: .write, times: 1)
      race.old.release(2)
      await #expect(throws: CacheError.self) { try await race.joined.value }
      try await clock.settle()
      #expect(race.new.cancellations == 0)
      race.new.release(3)
      #expect(try await race.startedOver.value == 3)
      try await clock.settle()
      #expect(cache.isQuiet)
    }
  }

  @Test(arguments: Setup.allCases)
  func `F1 an answer that has no lifetime leaves the other load to be stored (B314)`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: Self.policy)
    try await fixture.clock.run {
      let race = try await Race(cache, fixture.clock, expiryOfNew: Expiry(kind: .invalid))
      race.new.release(3)
      await #expect(throws: CacheError.self) { try await race.startedOver.value }
      race.old.release(2)
      #expect(try await race.joined.value == 2)
      #expect(try await race.stored() == 2)
      #expect(cache.isQuiet)
    }
  }

  @Test func `closing gives up an overdue load that nobody waits for any more (B314)`()
    async throws
  {
    let fixture = try CacheFixture(.memory)
    try await fixture.clock.run {
      let race = try await Race(fixture)
      race.joined.cancel()
      await #expect(throws: CancellationError.self) { try await race.joined.value }
      try await race.clock.settle()
      #expect(race.old.cancellations == 0)
      try await race.cache.close()
      try await race.clock.settle()
      #expect(race.old.cancellations == 1)
      #expect(race.new.cancellations == 0)
      race.new.release(3)
      #expect(try await race.startedOver.value == 3)
    }
  }

  @Test(arguments: [true, false])
  func `what a batch leaves out is not stored again by the load before (B314)`(
    isRemembered: Bool
  ) async throws {
    let fixture = try BatchFixture(.memory)
    var policy = Self.policy
    if isRemembered { policy.negativeExpiry = .seconds(100) }
    let feature = try fixture.open(policy)
    let cache = feature.integers
    let clock = fixture.clock
    let old = GatedProducer<Int>()
    let batch = fixture.batch(feature)
    try await clock.run {
      try await cache.set(1, for: "n/1")
      try await clock.advance(by: .milliseconds(14_500))
      #expect(try await cache.cached("n/1") { try await old() } == 1)
      try await clock.advance(by: .milliseconds(600))
      let joined = clock.startTask { try await cache.cached("n/1") { try await old() } }
      try await clock.settle()
      try await clock.advance(by: .milliseconds(600))
      let caller = clock.startTask { try await batch([1]) }
      try await clock.settle()
      fixture.source.answer([])
      #expect(try await caller.value == [:])
      old.release(2)
      #expect(try await joined.value == 2)
      try await clock.settle()
      #expect(try await cache.value(for: "n/1") == nil)
    }
    #expect(feature.isQuiet)
  }

  @Test func `a block that never answers keeps no place once another has answered (B314)`()
    async throws
  {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(policy: Self.policy)
    let clock = fixture.clock
    // Keeps its handlers for ever.
    let kept = EventRecorder<@Sendable () -> Void>()
    try await clock.run {
      try await cache.set(1, for: "k")
      try await clock.advance(by: .milliseconds(14_500))
      cache.load(
        "k",
        block: { success, _ in kept.record { success(2, .never) } },
        completion: { _ in }
      )
      #expect(cache.core.backgroundLoads.load(ordering: .acquiring) == 1)
      try await clock.advance(by: .milliseconds(600))
      let joined = clock.startTask { try await cache.cached("k") { 0 } }
      try await clock.settle()
      try await clock.advance(by: .milliseconds(600))
      #expect(try await cache.cached("k") { 3 } == 3)
      #expect(try await joined.value == 3)
    }
    #expect(kept.events.count == 1)
    #expect(cache.core.backgroundLoads.load(ordering: .acquiring) == 0)
    #expect(cache.flights.registrationCount == 0)
  }
}
