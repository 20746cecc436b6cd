import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchAbsenceTests {
  @Test(arguments: Setup.allCases)
  func `what is absent is not asked for again until its own lifetime has passed`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    var policy = CachePolicy(expiry: .minutes(5))
    policy.negativeExpiry = .seconds(10)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1])
      #expect(try await fetch([1, 2]) == [1: 10])
      try await fixture.clock.advance(by: .milliseconds(9_999))
      #expect(try await fetch([1, 2]) == [1: 10])
      #expect(fixture.source.asked == [[1, 2]])
      try await fixture.clock.advance(by: .milliseconds(1))
      fixture.source.answer([2])
      #expect(try await fetch([1, 2]) == [1: 10, 2: 20])
      #expect(fixture.source.asked == [[1, 2], [2]])
      #expect(try await fetch([1, 2]) == [1: 10, 2: 20])
    }
    #expect(feature.isQuiet)
  }

  @Test func `a negative expiry of zero asks again every time`() async throws {
    let fixture = try BatchFixture()
    var policy = CachePolicy(expiry: .minutes(5))
    policy.negativeExpiry = .seconds(0)
    let fetch = fixture.batch(try fixture.open(policy))
    for _ in 0..<3 {
      fixture.source.answer([])
      #expect(try await fetch([2]) == [:])
    }
    #expect(fixture.source.asked == [[2], [2], [2]])
  }

  @Test(arguments: Setup.withStore)
  func `absence is remembered in the slower store`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    fixture.source.answer([1])
    _ = try await fixture.batch(try fixture.open())([1, 2])
    for _ in 0..<2 {
      let feature = try fixture.open()
      let fetch = fixture.batch(feature)
      #expect(try await fetch([1, 2]) == [1: 10])
      #expect(try await fetch([1, 2]) == [1: 10])
      #expect(feature.isQuiet)
    }
    #expect(fixture.source.asked == [[1, 2]])
  }

  @Test(arguments: Setup.allCases)
  func `K4 absence is nil of the optional form and a miss of the plain one`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    fixture.source.answer([])
    #expect(try await fetch([1, 2]) == [:])

    let optional = feature.cached(key: { "n/\($0)" }) { (_: Int) -> Int? in 99 }
    #expect(try await optional(1) == nil)
    let plain = feature.cached(key: { "n/\($0)" }) { (id: Int) in id }
    #expect(try await plain(1) == 1)
    #expect(try await fetch([1, 2]) == [1: 1])
    #expect(try await optional(1) == 1)
    #expect(fixture.source.asked == [[1, 2]])

    // And the other way round: an optional form's nil is an absence.
    try await feature.remove("n/1")
    let none = feature.cached(key: { "n/\($0)" }) { (_: Int) -> Int? in nil }
    #expect(try await none(1) == nil)
    #expect(try await fetch([1]) == [:])
    #expect(fixture.source.asked == [[1, 2]])
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.withStore)
  func `K4 a read of the plain form leaves an absence in the store`(setup: Setup) async throws {
    let fixture = try BatchFixture(setup)
    fixture.source.answer([])
    _ = try await fixture.batch(try fixture.open())([1])
    let feature = try fixture.open()
    #expect(try await feature.integers.value(for: "n/1") == nil)
    #expect(try await feature.integers.values(for: ["n/1"]) == [:])
    #expect(try await fixture.batch(feature)([1]) == [:])
    #expect(fixture.source.asked == [[1]])
  }

  @Test func `single callers who joined an absent key load it themselves, once`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open()
    let fetch = fixture.batch(feature)
    let own = GatedProducer<Int>()
    let single = fixture.single(feature, own)
    try await fixture.clock.run {
      let batch = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      let singles = (0..<3).map { _ in fixture.clock.startTask { try await single(1) } }
      try await fixture.clock.settle()
      #expect(own.calls == 0)
      fixture.source.answer([])
      #expect(try await batch.value == [:])
      try await fixture.clock.settle()
      #expect(own.calls == 1)
      own.release(7)
      for caller in singles { #expect(try await caller.value == 7) }
      #expect(try await fetch([1]) == [1: 7])
    }
    #expect(feature.isQuiet)
  }

  @Test func `where values are optional themselves nil is absent`() async throws {
    let calls = EventRecorder<[Int]>()
    let feature = try Caches.inMemory["f"]
    let fetch = feature.cachedBatch(key: { "o/\($0)" }) { (ids: [Int]) -> [Int: Int?] in
      calls.record(ids)
      return [1: 1, 2: nil as Int?]
    }
    for _ in 0..<2 { #expect(try await fetch([1, 2, 3]) == [1: 1]) }
    #expect(calls.events == [[1, 2, 3]])
  }

  @Test func `an absent key replaces what was there`() async throws {
    let fixture = try BatchFixture(.memoryAndDisk)
    let feature = try fixture.open(CachePolicy(expiry: .seconds(5), staleIfError: .minutes(5)))
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1])
      #expect(try await fetch([1]) == [1: 10])
      try await fixture.clock.advance(by: .seconds(5))
      fixture.source.answer([])
      #expect(try await fetch([1]) == [:])
      #expect(try await feature.integers.entry(for: "n/1") == nil)
    }
  }
}
