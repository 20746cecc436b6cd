import CacheAsideTesting
import Testing

@testable import CacheAside

/// Windows and tags beside `expiry:`, from every form to the entry.
@Suite(.timeLimit(.minutes(60)))
struct CallOptionTests {
  private let clock = ManualClock()
  private let store = PlainStore()
  private let feature: CacheFeature

  init() throws {
    let (clock, store) = (clock, store)
    feature = try Caches(time: clock.timeSource) {
      Defaults(expiry: .seconds(60), staleIfError: .seconds(1))
      Feature("f", staleWhileRevalidate: .seconds(2), tags: ["feature"]) {
        Memory()
        Store(store)
      }
    }["f"]
  }

  /// The only record in the store, after its form was called.
  private func record(
    _ call: (CacheFeature) async throws -> Int
  ) async throws -> CacheEntry {
    try await feature.removeAll()
    #expect(try await call(feature) == 1)
    return try #require(await store.only)
  }

  private func expectOptions(
    _ form: String,
    _ call: (CacheFeature) async throws -> Int
  ) async throws {
    let entry = try await record(call)
    #expect(entry.metadata.tags == ["call", "feature"], "\(form)")
    #expect(entry.windows.whileRevalidating == 20_000_000_000, "\(form)")
    #expect(entry.windows.ifError == 30_000_000_000, "\(form)")
    #expect(entry.freshUntil - entry.created == 10_000_000, "\(form)")
  }

  @Test func `a call without options has those of feature and defaults`() async throws {
    let entry = try await record { try await $0.cached(key: "k") { 1 } }
    #expect(entry.metadata.tags == ["feature"])
    #expect(entry.windows.whileRevalidating == 2_000_000_000)
    #expect(entry.windows.ifError == 1_000_000_000)
    #expect(entry.freshUntil - entry.created == 60_000_000)
  }

  @Test func `the immediate forms take them`() async throws {
    try await expectOptions("plain") {
      try await $0.cached(
        key: "k",
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { 1 }
    }
    try await expectOptions("Produced") {
      try await $0.cached(
        key: "k",
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { Produced(1) }
    }
    try await expectOptions("over a policy") {
      try await $0.cached(
        key: "k",
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        tags: ["call"],
        policy: CachePolicy(staleWhileRevalidate: .seconds(7), staleIfError: .seconds(30))
      ) { (_: Previous<Int>?) in Produced(1) }
    }
  }

  @Test func `the callables take them`() async throws {
    try await expectOptions("key") {
      try await $0.cached(
        key: { "k/\($0)" },
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { (number: Int) in number }(1)
    }
    try await expectOptions("named") {
      try await $0.cached(
        "f",
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { (number: Int) in number }(1)
    }
    try await expectOptions("pack") {
      try await $0.cached(
        "f",
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { (number: Int, _: Int, _: Int) in Produced(number) }(1, 2, 3)
    }
    try await expectOptions("by") {
      try await $0.cached(
        "f",
        by: { $0 },
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { (number: Int) in number }(1)
    }
  }

  @Test func `the methods of a cache take them`() async throws {
    try await expectOptions("cached") {
      try await $0.cache(Int.self, Int.self).cached(
        1,
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { 1 }
    }
    try await expectOptions("outcome") {
      try await $0.cache(Int.self, Int.self).outcome(
        1,
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { Produced(1) }.value
    }
    try await expectOptions("set and update") {
      let cache = $0.cache(Int.self, Int.self)
      try await cache.set(7, for: 1, tags: ["gone"])
      return try await cache.update(
        1,
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(30),
        tags: ["call"]
      ) { value in
        value = 1
        return 1
      }
    }
  }
}
