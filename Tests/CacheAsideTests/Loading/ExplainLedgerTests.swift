import CacheAsideTesting
import Testing

@testable import CacheAside

/// What is explained of records that a folder's ledger has reached.
@Suite(.timeLimit(.minutes(60)))
struct ExplainLedgerTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let selector: CacheSelector
    let shown: String
    var scope = CacheScope.none

    var testDescription: String { shown }
  }

  private static let north = SelectorFixture.north

  private static let cases = [
    Case(selector: .tag("red"), shown: "tag red"),
    Case(selector: .tags(anyOf: ["green", "blue"]), shown: "tag blue"),
    Case(selector: .tags(allOf: ["red", "blue"]), shown: "tags(allOf:) blue, red"),
    Case(selector: .namespace(north), shown: "namespace f;tenant=north", scope: north),
    Case(selector: .tag("red"), shown: "tag red", scope: north),
  ]

  /// A record that another process has invalidated, as this one sees it.
  private func explained(
    _ choice: Case,
    expires: Bool
  ) async throws -> (CacheExplanation.Tier, CacheExplanation) {
    let fixture = try SelectorFixture(.disk)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let other = try fixture.open()["f"]
    return try await Caches.withScope(choice.scope) {
      try await cache.load("k", 1, "red", "blue")
      #expect(await cache.explain("k").tiers.first?.invalidatedBy == nil)
      try await other.remove(.tag("green"))
      #expect(await cache.explain("k").tiers.first?.invalidatedBy == nil)
      if expires {
        try await other.expire(choice.selector)
      } else {
        try await other.remove(choice.selector)
      }
      let explanation = await cache.explain("k")
      return (try #require(explanation.tiers.first), explanation)
    }
  }

  // The records of a scope that is removed as a whole go behind the call.
  @Test(arguments: cases.filter { $0.selector.isTags })
  private func `a record that is out is named with the tag or namespace that took it out`(
    choice: Case
  ) async throws {
    let (tier, explanation) = try await explained(choice, expires: false)
    #expect(tier.finding == .invalidated)
    #expect(tier.invalidatedBy?.text(showsSubjects: true) == choice.shown)
    #expect(explanation.rule == .absent)
    let lines = explanation.text(showsKey: true)
    #expect(lines.contains("disk: invalidated by \(choice.shown)"))
    #expect(!explanation.description.contains("red"))
  }

  @Test(arguments: cases)
  private func `a record that was expired is named with what expired it`(choice: Case) async throws
  {
    let (tier, explanation) = try await explained(choice, expires: true)
    #expect(tier.finding == .expired && tier.isExpiredByHand)
    #expect(tier.invalidatedBy?.text(showsSubjects: true) == choice.shown)
    #expect(explanation.text(showsKey: true).contains("disk: expired by hand, by \(choice.shown)"))
  }

  @Test func `a removal says more than an expiry, and a new value is free of both`() async throws {
    let fixture = try SelectorFixture(.disk)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let other = try fixture.open()["f"]
    try await cache.load("k", 1, "red", "blue")
    try await other.remove(.tag("red"))
    try await other.expire(.tag("blue"))
    let tier = await cache.explain("k").tiers.first
    #expect(tier?.invalidatedBy?.text(showsSubjects: true) == "tag red")
    try await cache.load("k", 2, "red", "blue")
    let after = await cache.explain("k").tiers.first
    #expect(after?.finding == .fresh && after?.invalidatedBy == nil)
  }
}

extension CacheSelector {
  fileprivate var isTags: Bool { if case .tags = kind { true } else { false } }
}
