import CacheAsideTesting
import Testing

@testable import CacheAside

/// Changing a value in place.
@Suite(.timeLimit(.minutes(60)))
struct UpdateTests {
  @Test(arguments: Setup.allCases)
  func `it makes, changes and removes a value in every tier`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(expiry: .seconds(5))
    let made = try await cache.update("k") { value in
      #expect(value == nil)
      value = 1
      return "made"
    }
    #expect(made == "made")
    try await cache.update("k") { value in value = (value ?? 0) + 1 }
    #expect(try await cache.value(for: "k") == 2)
    #expect(try await fixture.open().value(for: "k") == (setup == .memory ? nil : 2))
    try await fixture.clock.advance(by: .seconds(5))
    try await cache.update("k", expiry: .seconds(60)) { value in
      #expect(value == nil)
      value = 3
    }
    try await fixture.clock.advance(by: .seconds(50))
    #expect(try await cache.value(for: "k") == 3)
    try await cache.update("k") { value in value = nil }
    #expect(try await fixture.isEmpty(cache))
    try await cache.update("k") { value in #expect(value == nil) }
    #expect(try await fixture.isEmpty(cache))
    try await cache.set(4, for: "k")
    try await cache.update("k", expiry: .seconds(0)) { value in value = 5 }
    #expect(try await fixture.isEmpty(cache))
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `what the function throws changes nothing`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    await #expect(throws: EngineError.boom) {
      try await cache.update("k") { value in
        value = 2
        throw EngineError.boom
      }
    }
    #expect(try await cache.value(for: "k") == 1)
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `concurrent updates lose nothing`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 { try await cache.update("k") { value in value = (value ?? 0) + 1 } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await cache.value(for: "k") == 200)
    #expect(try await fixture.open().value(for: "k") == (setup == .memory ? nil : 200))
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `updates and sets of one key take turns`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open([String].self)
    // A set starts a new list, an update lengthens the one that is there: what follows the first
    // element is then always in order, whoever came when.
    try await withThrowingTaskGroup { group in
      for writer in 0..<2 {
        group.addTask {
          for round in 0..<30 { try await cache.set(["s\(writer).\(round)"], for: "k") }
        }
        group.addTask {
          for _ in 0..<60 {
            try await cache.update("k") { value in
              value = (value ?? ["none"]) + ["\(value?.count ?? 1)"]
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let list = try #require(try await cache.value(for: "k"))
    #expect(Array(list.dropFirst()) == (1..<list.count).map(String.init))
    let stored = try await fixture.open([String].self).value(for: "k")
    #expect(stored == (setup == .memory ? nil : list))
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `F4 a load that is going on is not stored over it`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let producer = GatedProducer<Int>()
    let loading = call(cache, producer)
    try await producer.waitForRuns(1)
    try await cache.update("k") { value in value = 5 }
    producer.release(1)
    #expect(try await loading.value == 1)
    #expect(try await cache.value(for: "k") == 5)
    #expect(cache.isQuiet)
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `a set while the function runs is seen by its second run`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    var seen: [Int?] = []
    try await cache.update("k") { value in
      seen.append(value)
      if seen.count == 1 { try cache.setBlocking(7, for: "k") }
      value = (value ?? 0) + 1
    }
    #expect(seen == [1, 7])
    #expect(try await cache.value(for: "k") == 8)
  }

  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `F4 a removal by tag while the function runs leaves neither value`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(policy: CachePolicy(expiry: .seconds(1_000)))
    let events = cache.events()
    try await cache.set(1, for: "k")
    var runs = 0
    try await cache.update("k", tags: ["x"]) { value in
      runs += 1
      try cache.removeBlocking(.tag("x"))
      value = 2
    }
    #expect(runs == 1)
    #expect(try await cache.value(for: "k") == nil)
    #expect(try await fixture.isEmpty(cache))
    #expect(cache.isQuiet)
    try await cache.close()
    for await event in events { #expect(event.kind != .rejected) }
  }

  @Test func `a write that began before and has not reached memory comes after`() {
    let stripe = FlightStripe<String, Int>(gate: StripeGate())
    let key = HashedKey(key: "k", hash: 1)
    let (writer, successor) = (Registration(isWriter: true), Registration(isWriter: true))
    stripe.supersede(key, successor: writer)
    let early = Registration()
    stripe.add(early, for: key)
    let refused = stripe.update(early, key, mayPrecede: false, successor: successor) { 1 }
    #expect(refused == nil)
    let before = stripe.update(early, key, mayPrecede: true, successor: successor) { 1 }
    #expect(before?.stored == 1 && before?.goesOn == false)
    #expect(!writer.isSuperseded && early.isSuperseded)
    #expect(stripe.commit(writer, key, isChange: true) { 2 } == 2)
    let late = Registration()
    stripe.add(late, for: key)
    let after = stripe.update(late, key, mayPrecede: false, successor: successor) { 3 }
    #expect(after?.goesOn == true)
    #expect(writer.isSuperseded && !successor.isSuperseded)
    #expect(stripe.registrationCount == 1)
  }

  @Test func `a scope has its own value`() async throws {
    let cache = try CacheFixture(.memory).open()
    try await cache.update("k") { value in value = 1 }
    try await Caches.withScope(["tenant": "a"]) {
      try await cache.update("k") { value in
        #expect(value == nil)
        value = 2
      }
    }
    #expect(try await cache.value(for: "k") == 1)
  }
}
