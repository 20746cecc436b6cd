import CacheAsideTesting
import Testing

@testable import CacheAside

/// Each selector with each verb.
@Suite(.timeLimit(.minutes(60)))
struct SelectorTests {
  typealias Setup = SelectorFixture.Setup

  enum Verb: CaseIterable, Sendable { case remove, removeBlocking, expire, removeFromFeature }

  enum Choice: String, CaseIterable, Sendable {
    case key, keys, tag, anyOf, allOf, noTags, scope, scopeless, condition, age, all

    var selector: CacheSelector {
      switch self {
      case .key: .key("a")
      case .keys: .keys(["a", "d"])
      case .tag: .tag("red")
      case .anyOf: .tags(anyOf: ["red", "green"])
      case .allOf: .tags(allOf: ["red", "blue"])
      case .noTags: .tags(anyOf: [])
      case .scope: .namespace(SelectorFixture.north)
      case .scopeless: .namespace(.none)
      case .condition: .where { $0.tags.contains("blue") && $0.key != "c" }
      case .age: .where { $0.age >= .seconds(5) }
      case .all: .all
      }
    }

    /// The scoped entry is `n`.
    var reached: Set<String> {
      switch self {
      case .key: ["a"]
      case .keys: ["a", "d"]
      case .tag, .anyOf: ["a", "b", "n"]
      case .allOf, .condition: ["b"]
      case .noTags: []
      case .scope: ["n"]
      case .scopeless: ["a", "b", "c", "d"]
      case .age: ["a", "b"]
      case .all: ["a", "b", "c", "d", "n"]
      }
    }
  }

  @Test(arguments: Setup.allCases, Choice.allCases)
  func `a selector reaches what it selects and nothing else`(
    setup: Setup,
    choice: Choice
  ) async throws {
    for verb in Verb.allCases {
      let fixture = try SelectorFixture(setup)
      let caches = try fixture.open()
      let cache = try await fill(caches, fixture)
      try await apply(verb, choice.selector, cache, caches)
      try await caches.flush()
      try await expect(choice.reached, gone: cache, verb)
      guard setup.hasStore else { continue }
      let again = try fixture.open()["f"].cache(CacheKey.self, Int.self)
      try await expect(choice.reached, gone: again, verb)
    }
  }

  @Test(arguments: Setup.allCases, Choice.allCases)
  func `T2 what is expired by a selector helps failing loads for staleIfError from then on`(
    setup: Setup,
    choice: Choice
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try await fill(try fixture.open(), fixture)
    try await cache.expire(choice.selector)
    try await fixture.clock.advance(by: .milliseconds(19_999))
    // Another expiry prolongs nothing.
    try await cache.expire(choice.selector)
    for name in choice.reached {
      try await scoped(name) { key in
        let value = try await cache.failing(key)
        #expect(value == 1, "\(name)")
      }
    }
    try await fixture.clock.advance(by: .milliseconds(1))
    for name in choice.reached {
      try await scoped(name) { key in
        await #expect(throws: EngineError.boom, "\(name)") { try await cache.failing(key) }
      }
    }
  }

  @Test(arguments: Setup.allCases)
  func `T2 an expiry by tag leaves no stale window but that for errors`(
    setup: Setup
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let caches = try fixture.open(
      CachePolicy(
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(100),
        staleIfError: .seconds(100)
      )
    )
    let cache = try caches["f"].cache(CacheKey.self, Int.self)
    try await cache.load("a", 1, "red")
    try await fixture.clock.advance(by: .seconds(11))
    try await cache.expire(.tag("red"))
    #expect(try await cache.cached("a") { 2 } == 2)
  }

  // MARK: Parts

  private func fill(_ caches: Caches, _ fixture: SelectorFixture) async throws
    -> Cache<CacheKey, Int>
  {
    let cache = try caches["f"].cache(CacheKey.self, Int.self)
    try await cache.load("a", 1, "red")
    try await cache.load("b", 1, "blue", "red")
    try await fixture.clock.advance(by: .seconds(5))
    try await cache.load("c", 1, "blue")
    try await cache.load("d", 1)
    try await scoped("n") { try await cache.load($0, 1, "red") }
    return cache
  }

  /// The key of an entry, in its scope.
  private func scoped(_ name: String, _ body: (CacheKey) async throws -> Void) async throws {
    guard name == "n" else { return try await body(CacheKey(stringLiteral: name)) }
    try await Caches.withScope(SelectorFixture.north) { try await body("a") }
  }

  private func apply(
    _ verb: Verb,
    _ selector: CacheSelector,
    _ cache: Cache<CacheKey, Int>,
    _ caches: Caches
  ) async throws {
    switch verb {
    case .remove: try await cache.remove(selector)
    case .removeBlocking: try cache.removeBlocking(selector)
    case .expire: try await cache.expire(selector)
    case .removeFromFeature: try await caches["f"].remove(selector)
    }
  }

  private func expect(
    _ reached: Set<String>,
    gone cache: Cache<CacheKey, Int>,
    _ verb: Verb
  ) async throws {
    for name in ["a", "b", "c", "d", "n"] {
      try await scoped(name) { key in
        let expected = reached.contains(name) ? nil : 1
        #expect(cache.peek(key) != 1 || expected == 1, "\(name) in memory after \(verb)")
        let value = try await cache.value(for: key)
        #expect(value == expected, "\(name) after \(verb)")
        guard reached.contains(name), verb != .expire else { return }
        let kept = try await cache.entry(for: key)
        #expect(kept == nil, "\(name) is kept after \(verb)")
      }
    }
  }
}
