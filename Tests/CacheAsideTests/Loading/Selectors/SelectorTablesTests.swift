import CacheAsideTesting
import Testing

@testable import CacheAside

/// Selectors reach every table of a feature, and no other feature.
@Suite(.timeLimit(.minutes(60)))
struct SelectorTablesTests {
  enum Verb: CaseIterable, Sendable { case remove, expire, removeBlocking }

  @Test(arguments: Verb.allCases, [false, true])
  func `a tag reaches functions keyed by their arguments, and every type`(
    verb: Verb,
    hasStore: Bool
  ) async throws {
    let store = ScanningStore()
    let caches = try Caches {
      for name in ["f", "g"] {
        Feature(name) {
          Memory()
          if hasStore { Store(store) }
        }
      }
    }
    let producer = CountingProducer<Int> { $0 }
    let tagged = CachePolicy(tags: ["t"])
    let feature = try caches["f"]
    let square = feature.cached("square", policy: tagged) { (_: Int) in try await producer() }
    let text = feature.cached("text", policy: tagged) { (a: Int, b: String) in
      "\(a)\(b)\(try await producer())"
    }
    let plain = feature.cached("plain") { (_: Int) in try await producer() }
    let other = try caches["g"].cached("square", policy: tagged) { (_: Int) in
      try await producer()
    }
    let values = (
      try await square(1), try await text(1, "a"), try await plain(1), try await other(1)
    )
    #expect(producer.calls == 4)
    let anywhere = feature.cache(String.self, Bool.self)
    switch verb {
    case .remove: try await anywhere.remove(.tag("t"))
    case .expire: try await anywhere.expire(.tag("t"))
    case .removeBlocking: try anywhere.removeBlocking(.tag("t"))
    }
    #expect(square.peek(1) == nil)
    #expect(try await square(1) != values.0)
    #expect(try await text(1, "a") != values.1)
    #expect(try await plain(1) == values.2)
    #expect(try await other(1) == values.3)
    #expect(producer.calls == 6)
    // What was loaded since stays.
    _ = (try await square(1), try await text(1, "a"))
    #expect(producer.calls == 6)
  }

  @Test(arguments: Verb.allCases)
  func `a condition and all reach functions keyed by their arguments`(verb: Verb) async throws {
    let caches = try Caches { Feature("f") { Memory() } }
    let feature = try caches["f"]
    let square = feature.cached("square") { (number: Int) in number * number }
    let cube = feature.cached("cube") { (number: Int, _: Int) in number * number * number }
    _ = (try await square(2), try await cube(2, 2))
    let cache = feature.cache(CacheKey.self, Int.self)
    let name = square.key(for: 2).text
    for selector: CacheSelector in [.where { $0.key.text == name }, .all] {
      switch verb {
      case .remove: try await feature.remove(selector)
      case .expire: try await feature.expire(selector)
      case .removeBlocking: try cache.removeBlocking(selector)
      }
      #expect(square.peek(2) == nil)
      if case .all = selector.kind { continue }
      #expect(cube.peek(2, 2) == 8)
    }
    #expect(cube.peek(2, 2) == nil)
  }

  /// A key that counts how often it is looked at.
  private struct Watched: ExactCacheKey {
    let number: Int
    let looks: Counter

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

    func hash(into hasher: inout Hasher) {
      looks.add()
      hasher.combine(number)
    }

    func encode(into encoder: inout CacheKey.Encoder) {
      looks.add()
      encoder.encode(number)
    }
  }

  @Test func `a removal or expiry by tag, and a removal by scope, look at no entry`() async throws {
    let looks = Counter()
    let feature = try Caches { Feature("f", policy: CachePolicy(tags: ["t", "u"])) { Memory() } }[
      "f"
    ]
    let cache = feature.cache(Watched.self, Int.self)
    for number in 0..<500 {
      _ = try await cache.cached(Watched(number: number, looks: looks)) { number }
    }
    let before = looks.count
    let selectors: [CacheSelector] = [
      .tag("t"), .tags(anyOf: ["t", "x"]), .tags(allOf: ["t", "u"]),
      .namespace(SelectorFixture.north),
    ]
    for selector in selectors {
      try await feature.expire(selector)
      try await feature.remove(selector)
      try cache.removeBlocking(selector)
    }
    #expect(looks.count == before)
    #expect(cache.peek(Watched(number: 7, looks: looks)) == nil)
  }

  @Test func `a remembered failure is forgotten with the tag's entries`() async throws {
    var policy = CachePolicy(expiry: .seconds(10), staleIfError: .seconds(100))
    policy.retryAfterFailure = .seconds(50)
    let clock = ManualClock()
    let cache = try Cache<CacheKey, Int>(name: "f", policy: policy, time: clock.timeSource) {
      Memory()
    }
    try await cache.load("k", 1, "t")
    try await clock.advance(by: .seconds(11))
    #expect(try await cache.failing("k") == 1)
    #expect(try await cache.cached("k") { 2 } == 1)
    try await cache.expire(.tag("t"))
    #expect(try await cache.cached("k") { 2 } == 2)
  }

  @Test func `invalidated entries leave memory with the next sweep`() async throws {
    let clock = ManualClock()
    let cache = try Cache<CacheKey, Int>(name: "f", time: clock.timeSource) { Memory() }
    for index in 0..<100 { try await cache.load("\(index)", index, "t") }
    try await cache.load("other", 1, "u")
    try await cache.remove(.tag("t"))
    #expect(cache.peek("7") == nil)
    try await clock.advance(by: .seconds(2))
    #expect(cache.count == 1)
    #expect(cache.statistics.removals[.invalidated] == 100)
    #expect(!cache.memory.needsSweep)
  }
}
