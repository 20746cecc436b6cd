import CacheAsideTesting
import Foundation
import Testing

@testable import CacheAside

/// Types whose own code traps on, or refuses, values that nobody stored.
@Suite(.timeLimit(.minutes(60)))
struct UninvitedCodeTests {
  typealias Row = Codable & Equatable & Sendable

  private struct Endpoint: Row {
    var endpoint: URLComponents
    var allowed: CharacterSet
    var span: DateInterval
    var retries: Int
  }

  /// Traps on everything but what was stored.
  private struct Strict: Row {
    let text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      precondition(text.contains("@"), "never stored")
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  private struct Level: RawRepresentable, Row {
    let rawValue: Int
    init(rawValue: Int) {
      precondition(rawValue > 0, "never stored")
      self.rawValue = rawValue
    }
  }

  private struct Mixed: Row { var mail: Strict, level: Level, count: Int, list: [Strict] }

  @Test(arguments: Setup.withStore)
  func `a type that traps on values nobody stored is stored and comes back (B351)`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    func check<Value: Row>(_ value: Value) async throws {
      try await fixture.open(Value.self).set(value, for: "k")
      let again = try fixture.open(Value.self)
      #expect(try await again.value(for: "k") == value)
      #expect(again.statistics.tiers.last?.schemaChanges == 0)
    }
    try await check(
      Endpoint(
        endpoint: try #require(URLComponents(string: "https://a.example/x?y=1")),
        allowed: .alphanumerics,
        span: DateInterval(start: Date(timeIntervalSince1970: 1), duration: 2),
        retries: 3
      )
    )
    let mail = Strict("a@b")
    try await check(Mixed(mail: mail, level: Level(rawValue: 1), count: 2, list: [mail]))
  }

  private struct Email: Row {
    let text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      if text.isEmpty { throw CancellationError() }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  /// Stores with the old type and reads with the new one.
  private func expectMiss<Old: Row, New: Row>(_ old: Old, _ new: New.Type) async throws {
    let fixture = try CacheFixture(.disk)
    try await fixture.open(Old.self).set(old, for: "k")
    let after = try fixture.open(New.self)
    let kinds = EventKinds()
    after.observe(kinds)
    #expect(try await after.value(for: "k") == nil)
    #expect(kinds.all == [.schemaChanged])
  }

  private func original() -> some Row {
    struct User: Row { var email: Email, nickname: String?, score: Int }
    return User(email: Email("a"), nickname: "n", score: 1)
  }

  private func renamed() -> any Row.Type {
    struct User: Row { var email: Email, displayName: String?, score: Int }
    return User.self
  }

  private func retyped() -> any Row.Type {
    struct User: Row { var email: Email, nickname: String?, score: Double }
    return User.self
  }

  private func keyed() -> any Row.Type {
    struct User: Row {
      var email: Email, nickname: String?, score: Int
      enum CodingKeys: String, CodingKey { case email, nickname = "nick", score }
    }
    return User.self
  }

  @Test func `a field behind one that refuses values is told apart (B330)`() async throws {
    try await expectMiss(original(), renamed())
    try await expectMiss(original(), retyped())
    try await expectMiss(original(), keyed())
  }

  private struct ByHand: Row {
    var value: Int
    init(value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      value = try list.decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(value)
    }
  }

  @Test func `a type whose structure is not seen fully is advised on once (B330)`() async throws {
    struct User: Row { var part: ByHand }
    let store = PlainStore()
    let cache = try Cache<String, User>(name: "users") { Store(store) }
    let events = EventRecorder<CacheEvent>()
    cache.observe(EventObserver(events))
    for key in ["a", "b", "c"] { try await cache.set(User(part: ByHand(value: 1)), for: key) }
    #expect(events.events.map(\.kind) == [.advice])
    let text = try #require(events.events.first).description
    #expect(text.contains("User") && text.contains("ByHand") && text.contains(".json(version:)"))
    let versioned = try Cache<String, User>(name: "v", codec: .json(version: 1)) { Store(store) }
    let quiet = EventRecorder<CacheEvent>()
    versioned.observe(EventObserver(quiet))
    try await versioned.set(User(part: ByHand(value: 1)), for: "a")
    #expect(quiet.events.isEmpty)
  }
}
