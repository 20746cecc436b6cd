import CacheAsideTesting
import Testing

@testable import CacheAside

/// Renewals, by `.notModified`, of a value whose record was written when its type had another structure.
///
/// Local types of one name share their identity, so they stand for a type's versions.
@Suite(.timeLimit(.minutes(60)))
struct SchemaRenewalTests {
  typealias Row = Codable & Equatable & Sendable

  private func old() -> some Row {
    struct User: Row { var name: String }
    return User(name: "old")
  }

  private func new() -> some Row {
    struct User: Row { var name: String, age: Int? }
    return User(name: "new", age: 1)
  }

  /// Stores a value with a validator, as a program with this version of the type does.
  private func store<Value: Row>(
    _ value: Value,
    _ validator: String?,
    _ cache: Cache<String, Value>
  ) async throws {
    _ = try await cache.outcome("k", mode: .reload) { Produced(value, validator: validator) }
  }

  @Test(arguments: ["v1", nil])
  func `D6 a record of another structure is not renewed in the place of memory's value`(
    validator: String?
  ) async throws {
    func check<Old: Row, New: Row>(_ old: Old, _ new: New) async throws {
      let fixture = try CacheFixture(.memoryAndDisk)
      let cache = try fixture.open(New.self)
      try await store(new, validator, cache)
      // Another program writes at the same time, with the same validator.
      let other = try fixture.open(Old.self)
      #expect(other.type == cache.type && other.schema != cache.schema)
      try await store(old, validator, other)
      #expect(try await fixture.record("k")?.schema == other.schema)
      let renewed = try await cache.outcome("k", mode: .reload) { (previous: Previous<New>?) in
        #expect(previous?.value == new && previous?.validator == validator)
        return .notModified
      }
      #expect(renewed.value == new)
      let record = try #require(try await fixture.record("k"))
      #expect(record.schema == cache.schema && record.metadata.validator == validator)
      #expect(try await fixture.open(New.self).value(for: "k") == new)
    }
    try await check(old(), new())
  }

  @Test(arguments: Setup.withStore)
  func `D6 a record of another structure is no previous value, and stays until it is replaced`(
    setup: Setup
  ) async throws {
    func check<Old: Row, New: Row>(_ old: Old, _ new: New) async throws {
      let fixture = try CacheFixture(setup)
      let other = try fixture.open(Old.self)
      try await store(old, "v1", other)
      let cache = try fixture.open(New.self)
      let error = await #expect(throws: CacheError.self) {
        try await cache.cached("k") { (previous: Previous<New>?) in
          #expect(previous == nil)
          return .notModified
        }
      }
      #expect(error?.code == .unexpectedNotModified)
      #expect(try await fixture.record("k")?.schema == other.schema)
      _ = try await cache.cached("k") { (_: Previous<New>?) in Produced(new, validator: "v1") }
      let again = try await fixture.open(New.self).outcome("k", mode: .reload) {
        (previous: Previous<New>?) in
        #expect(previous?.value == new)
        return .notModified
      }
      #expect(again.value == new)
      #expect(try await fixture.record("k")?.schema == cache.schema)
    }
    try await check(old(), new())
  }
}
