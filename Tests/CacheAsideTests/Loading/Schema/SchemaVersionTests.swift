import CacheAsideTesting
import Foundation
import Synchronization
import Testing

@testable import CacheAside

/// Versions given by hand instead of a structure, and codecs without one.
@Suite(.timeLimit(.minutes(60)))
struct SchemaVersionTests {
  typealias Row = Codable & Equatable & Sendable

  private let store = PlainStore()

  private func cache<Value: Sendable>(
    _ value: Value.Type,
    version: Int? = nil,
    codec: Codec<Value>? = nil
  ) throws -> Cache<String, Value> {
    try Cache(name: "feature", version: version, codec: codec) { Store(store) }
  }

  private func original() -> some Row {
    struct User: Row { var name: String }
    return User(name: "a")
  }

  @Test func `D6 under a version of the feature no structure counts`() async throws {
    struct User: Row { var name: String, age: Int? }
    func check<Old: Row>(_ old: Old) async throws {
      try await cache(Old.self, version: 1).set(old, for: "k")
      let after = try cache(User.self, version: 1)
      #expect(after.schema == 1)
      #expect(try await after.value(for: "k") == User(name: "a", age: nil))
      let next = try cache(User.self, version: 2)
      #expect(try await next.value(for: "k") == nil)
    }
    try await check(original())
  }

  @Test func `D6 under a version of the codec no structure counts`() async throws {
    struct User: Row { var name: String, age: Int? }
    func check<Old: Row>(_ old: Old) async throws {
      try await cache(Old.self, codec: .json(version: 7)).set(old, for: "k")
      let after = try cache(User.self, codec: .json(version: 7))
      #expect(after.schema == 7)
      #expect(try await after.value(for: "k") == User(name: "a", age: nil))
      let next = try cache(User.self, codec: .json(version: 8))
      #expect(try await next.value(for: "k") == nil)
      #expect(next.statistics.tiers.last?.schemaChanges == 1)
      // The codec's number beats the feature's.
      #expect(try cache(User.self, version: 3, codec: .json(version: 7)).schema == 7)
    }
    try await check(original())
  }

  @Test func `D6 a type under a version is never probed`() async throws {
    let runs = Counter()
    let probed = ProbeSeen.$runs.withValue(runs) { SchemaFingerprint.of(ProbeSeen.self) }
    #expect(probed != 0 && runs.count == 1)
    #expect(SchemaFingerprint.of(ProbeSeen.self) == probed && runs.count == 1)
    struct Trap: Row {
      init() {}
      init(from decoder: any Decoder) throws {
        Issue.record("decoded without a record")
      }
      func encode(to encoder: any Encoder) throws {}
    }
    try await cache(Trap.self, version: 1).set(Trap(), for: "k")
    try await cache(Trap.self, codec: .json(version: 1)).set(Trap(), for: "l")
  }

  @Test func `D6 raw codecs and codecs of one's own have no structure`() async throws {
    #expect(try cache(String.self).schema == 0)
    #expect(try cache(Data.self).schema == 0)
    #expect(try cache([UInt8]?.self).schema == 0)
    let own = Codec<Int>(
      identifier: CodecIdentifier(rawValue: 300),
      encode: { [UInt8(clamping: $0)] },
      decode: { $0.first.map(Int.init) ?? 0 }
    )
    #expect(try cache(Int.self, codec: own).schema == 0)
    let versioned = Codec<Int>(
      identifier: CodecIdentifier(rawValue: 300),
      version: 5,
      encode: { [UInt8(clamping: $0)] },
      decode: { $0.first.map(Int.init) ?? 0 }
    )
    #expect(try cache(Int.self, codec: versioned).schema == 5)
    try await cache(Int.self, codec: own).set(9, for: "k")
    #expect(try await cache(Int.self, codec: own).value(for: "k") == 9)
    #expect(try await cache(Int.self, codec: versioned).value(for: "k") == nil)
  }
}

/// Counts how often it is decoded.
private struct ProbeSeen: Decodable {
  @TaskLocal static var runs = Counter()

  init(from decoder: any Decoder) throws { Self.runs.add() }
}
