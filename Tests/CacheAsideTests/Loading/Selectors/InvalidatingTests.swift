import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct InvalidatingTests {
  typealias Setup = SelectorFixture.Setup

  static let selectors: [CacheSelector] = [
    .key("k"), .tag("t"), .tags(allOf: ["t", "u"]), .where { $0.tags.contains("t") }, .all,
  ]

  @Test(arguments: Setup.allCases)
  func `a write invalidates after it has succeeded, and returns its result`(
    setup: Setup
  ) async throws {
    for selector in Self.selectors {
      let fixture = try SelectorFixture(setup)
      let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
      try await cache.load("k", 1, "t", "u")
      let answer = try await cache.invalidating(selector) {
        let before = try await cache.value(for: "k")
        #expect(before == 1)
        return "written"
      }
      #expect(answer == "written")
      #expect(try await cache.entry(for: "k") == nil)
    }
  }

  @Test(arguments: Setup.allCases)
  func `a write that throws invalidates nothing`(setup: Setup) async throws {
    for selector in Self.selectors {
      let fixture = try SelectorFixture(setup)
      let feature = try fixture.open()["f"]
      let cache = feature.cache(CacheKey.self, Int.self)
      try await cache.load("k", 1, "t", "u")
      await #expect(throws: EngineError.boom) {
        try await feature.invalidating(selector) { throw EngineError.boom }
      }
      #expect(try await cache.value(for: "k") == 1)
    }
  }

  @Test(arguments: Setup.allCases)
  func `B013 a load that began before the end of the write is not stored`(
    setup: Setup
  ) async throws {
    for selector in Self.selectors {
      let fixture = try SelectorFixture(setup)
      let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
      let producer = GatedProducer<Int>()
      var call: Task<Int, any Error>?
      try await cache.invalidating(selector) {
        call = cache.start("k", producer, "t", "u")
        try await producer.waitForRuns(1)
      }
      producer.release(1)
      #expect(try await call?.value == 1)
      #expect(try await cache.entry(for: "k") == nil)
    }
  }

  @Test func `a cancelled caller's write is followed by its invalidation`() async throws {
    let fixture = try SelectorFixture(.memoryAndTwoStores)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    try await cache.load("k", 1, "t")
    let gate = Gate()
    let call = Task {
      try await cache.invalidating(.tag("t")) { await gate.waitIgnoringCancellation() }
    }
    try await gate.waitForArrivals(1)
    call.cancel()
    gate.open()
    try await call.value
    #expect(try await cache.entry(for: "k") == nil)
  }
}
