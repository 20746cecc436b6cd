import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct BatchStalenessTests {
  @Test(arguments: Setup.allCases)
  func `T2 stale keys are returned at once and loaded again by one batch behind`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    let policy = CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .minutes(1))
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1, 2, 3])
      _ = try await fetch([1, 2, 3])
      try await fixture.clock.advance(by: .seconds(5))
      #expect(try await fetch([1, 2]) == [1: 10, 2: 20])
      try await fixture.clock.settle()
      #expect(try await fetch([1, 2, 3]) == [1: 10, 2: 20, 3: 30])
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2, 3], [1, 2], [3]])
      fixture.source.producer.release([1: -1, 2: -2])
      fixture.source.producer.release([3: -3])
      try await fixture.clock.settle()
      #expect(try await fetch([1, 2, 3]) == [1: -1, 2: -2, 3: -3])
      #expect(fixture.source.asked.count == 3)
    }
    #expect(feature.statistics.staleServed == 5)
    #expect(feature.isQuiet)
  }

  @Test func `windows and tags may be said where the batch is made`() async throws {
    let fixture = try BatchFixture()
    let feature = try fixture.open(CachePolicy(expiry: .hours(1)))
    let source = fixture.source
    let fetch = feature.cachedBatch(
      key: { "n/\($0)" },
      expiry: .seconds(5),
      staleWhileRevalidate: .minutes(1),
      tags: ["all"]
    ) { (ids: [Int]) in try await source(ids) }
    try await fixture.clock.run {
      source.answer([1])
      _ = try await fetch([1])
      try await fixture.clock.advance(by: .seconds(5))
      #expect(try await fetch([1]) == [1: 10])
      try await fixture.clock.settle()
      source.producer.release([1: 11])
      try await fixture.clock.settle()
      try await feature.remove(.tag("all"))
      source.producer.release([1: 12])
      #expect(try await fetch([1]) == [1: 12])
    }
    #expect(source.asked == [[1], [1], [1]])
  }

  @Test func `a refresh ahead of the end is one batch behind`() async throws {
    let fixture = try BatchFixture()
    var policy = CachePolicy(expiry: .seconds(10))
    policy.refreshAhead = .fraction(0.5)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1, 2])
      _ = try await fetch([1, 2])
      try await fixture.clock.advance(by: .seconds(6))
      #expect(try await fetch([1, 2]) == [1: 10, 2: 20])
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2], [1, 2]])
      fixture.source.producer.release([1: -1, 2: -2])
      try await fixture.clock.settle()
      #expect(try await fetch([1, 2]) == [1: -1, 2: -2])
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `T4 soft timeout settles for stale keys, hard timeout gives up, the load goes on`(
    setup: Setup
  ) async throws {
    let fixture = try BatchFixture(setup)
    var policy = CachePolicy(expiry: .seconds(5), staleIfError: .minutes(5))
    policy.softTimeout = .seconds(2)
    policy.hardTimeout = .seconds(4)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      fixture.source.answer([1])
      _ = try await fetch([1])
      try await fixture.clock.advance(by: .seconds(5))
      let both = fixture.clock.startTask { await fetch.outcomes([1, 2]).map(\.1) }
      let stale = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      try await fixture.clock.advance(by: .seconds(2))
      #expect(try await stale.value == [1: 10])
      try await fixture.clock.advance(by: .seconds(2))
      let outcomes = try await both.value
      #expect(try outcomes[0].get() == 10)
      let error = #expect(throws: CacheError.self) { try outcomes[1].get() }
      #expect(error?.code == .timedOut)
      #expect(fixture.source.producer.cancellations == 0)
      fixture.source.producer.release([1: -1, 2: -2])
      try await fixture.clock.settle()
      #expect(try await fetch([1, 2]) == [1: -1, 2: -2])
      #expect(fixture.source.asked == [[1], [1, 2]])
    }
    #expect(feature.isQuiet)
  }

  @Test func `T4 a hung batch is given up, its keys are free, its late answer is dropped`()
    async throws
  {
    let fixture = try BatchFixture(honoursCancellation: false)
    var policy = CachePolicy()
    policy.abandonAfter = .seconds(3)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      let hung = fixture.clock.startTask { await fetch.outcomes([1, 2]).map(\.1) }
      try await fixture.clock.settle()
      try await fixture.clock.advance(by: .seconds(3))
      for outcome in try await hung.value {
        let error = #expect(throws: CacheError.self) { try outcome.get() }
        #expect(error?.code == .abandoned)
      }
      #expect(fixture.source.producer.cancellations == 1)
      let again = fixture.clock.startTask { try await fetch([1]) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2], [1]])
      fixture.source.producer.release([1: -1, 2: -2, 3: -3])
      try await fixture.clock.settle()
      #expect(feature.integers.peek("n/2") == nil)
      #expect(feature.integers.peek("n/3") == nil)
      fixture.source.answer([1])
      #expect(try await again.value == [1: 10])
    }
    #expect(feature.isQuiet)
  }

  @Test func `a batch takes one turn among the concurrent loads`() async throws {
    let fixture = try BatchFixture()
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = 1
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    try await fixture.clock.run {
      let first = fixture.clock.startTask { try await fetch([1, 2, 3]) }
      try await fixture.clock.settle()
      let second = fixture.clock.startTask { try await fetch([4, 5]) }
      try await fixture.clock.settle()
      #expect(fixture.source.asked == [[1, 2, 3]])
      fixture.source.answer([1, 2, 3])
      #expect(try await first.value.count == 3)
      fixture.source.answer([4, 5])
      #expect(try await second.value.count == 2)
    }
    #expect(feature.isQuiet)
  }

  @TaskLocal static var request = "none"

  @Test func `F8 the producer sees its leader's task-locals, a batch behind does not`()
    async throws
  {
    let clock = ManualClock()
    let seen = EventRecorder<String>()
    let caches = try Caches(time: clock.timeSource) {
      let policy = CachePolicy(expiry: .seconds(5), staleWhileRevalidate: .minutes(1))
      Feature("f", policy: policy) { Memory() }
    }
    let fetch = try caches["f"].cachedBatch(key: { "n/\($0)" }) { (ids: [Int]) -> [Int: Int] in
      seen.record(Self.request)
      return Dictionary(uniqueKeysWithValues: ids.map { ($0, $0) })
    }
    try await clock.run {
      try await Self.$request.withValue("mine") {
        _ = try await fetch([1])
        try await clock.advance(by: .seconds(5))
        _ = try await fetch([1])
        try await clock.settle()
      }
    }
    #expect(seen.events == ["mine", "none"])
  }
}
