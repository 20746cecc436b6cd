import Synchronization
import Testing

@testable import CacheAside

/// Records of a type whose structure changes between two versions of a program.
///
/// Local types of one name share their identity, so they stand for a type's versions.
@Suite(.timeLimit(.minutes(60)))
struct SchemaChangeTests {
  typealias Row = Codable & Equatable & Sendable

  /// Stores with the old type and reads with the new one.
  private func expectMiss<Old: Row, New: Row>(_ old: Old, _ new: New, _ setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let before = try fixture.open(Old.self)
    try await before.set(old, for: "k")
    let after = try fixture.open(New.self)
    #expect(after.type == before.type)
    let kinds = EventKinds()
    after.observe(kinds)

    #expect(try await after.value(for: "k") == nil)
    #expect(kinds.all == [.schemaChanged])
    #expect(try await after.entry(for: "k") == nil)
    #expect(try await after.entries().isEmpty)
    #expect(try await fixture.record("k")?.schema == before.schema)
    #expect(try await after.cached("k") { new } == new)
    #expect(kinds.all == [.schemaChanged, .schemaChanged])
    let tier = try #require(after.statistics.tiers.last)
    #expect(tier.schemaChanges == 2 && tier.decodeFailures == 0)

    #expect(try await fixture.record("k")?.schema == after.schema)
    let again = try fixture.open(New.self)
    #expect(try await again.value(for: "k") == new)
    // And back: the old program misses too.
    let old = try fixture.open(Old.self)
    #expect(try await old.value(for: "k") == nil)
  }

  private func original() -> some Row {
    struct User: Row { var name: String, age: Int }
    return User(name: "a", age: 1)
  }

  @Test(arguments: Setup.withStore)
  func `D6 B072 a field that was renamed is a miss`(setup: Setup) async throws {
    struct User: Row { var title: String, age: Int }
    try await expectMiss(original(), User(title: "b", age: 2), setup)
  }

  @Test(arguments: Setup.withStore)
  func `D6 B072 a field of another type is a miss`(setup: Setup) async throws {
    // JSON would read 1 as 1.0.
    struct User: Row { var name: String, age: Double }
    try await expectMiss(original(), User(name: "b", age: 2), setup)
  }

  @Test(arguments: Setup.withStore)
  func `D6 B072 a field that was added is a miss`(setup: Setup) async throws {
    struct User: Row { var name: String, age: Int, mail: String }
    try await expectMiss(original(), User(name: "b", age: 2, mail: ""), setup)
  }

  @Test(arguments: Setup.withStore)
  func `D6 a field that was removed is a miss`(setup: Setup) async throws {
    struct User: Row { var name: String }
    try await expectMiss(original(), User(name: "b"), setup)
  }

  @Test(arguments: Setup.withStore)
  func `D6 an optional field that was added is a miss`(setup: Setup) async throws {
    struct User: Row { var name: String, age: Int, mail: String? }
    try await expectMiss(original(), User(name: "b", age: 2, mail: "m"), setup)
  }

  @Test(arguments: Setup.withStore)
  func `D6 a field that became optional is a miss`(setup: Setup) async throws {
    struct User: Row { var name: String, age: Int? }
    try await expectMiss(original(), User(name: "b", age: nil), setup)
  }

  private func nested() -> some Row {
    struct Part: Row { var size: Int }
    struct User: Row { var parts: [String: [Part?]] }
    return User(parts: ["a": [Part(size: 1)]])
  }

  @Test(arguments: Setup.withStore)
  func `D6 a change in a nested type is a miss`(setup: Setup) async throws {
    struct Part: Row { var size: Int, count: Int }
    struct User: Row { var parts: [String: [Part?]] }
    try await expectMiss(nested(), User(parts: ["a": [nil]]), setup)
  }

  private func enumeration() -> some Row {
    enum Shape: Row { case circle(Int), line(from: Int) }
    return Shape.line(from: 1)
  }

  @Test(arguments: Setup.withStore)
  func `D6 a change in what a case carries is a miss`(setup: Setup) async throws {
    enum Shape: Row { case circle(Int), line(from: Double) }
    try await expectMiss(enumeration(), Shape.line(from: 2), setup)
  }

  private func reordered() -> some Row {
    struct User: Row { var age: Int, name: String }
    return User(age: 1, name: "a")
  }

  @Test func `D6 the order of properties makes no difference`() async throws {
    let fixture = try CacheFixture(.disk)
    func check<Old: Row, New: Row>(_ old: Old, _ new: New) async throws {
      try await fixture.open(Old.self).set(old, for: "k")
      #expect(try await fixture.open(New.self).value(for: "k") == new)
    }
    try await check(original(), reordered())
  }
}

/// The kinds of the events that came in.
final class EventKinds: CacheObserver {
  private let kinds = Lock<[CacheEvent.Kind]>([])

  var all: [CacheEvent.Kind] { kinds.withLock { $0 } }

  func receive(_ event: CacheEvent) { kinds.withLock { $0.append(event.kind) } }
}
