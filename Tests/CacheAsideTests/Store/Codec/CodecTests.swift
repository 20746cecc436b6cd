import Testing

@testable import CacheAside

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct CodecTests {
  /// What comes back through a record.
  private func roundTrip<Value: Sendable>(_ value: Value) throws -> Value {
    let codec = try #require(Codec<Value>.automatic())
    let entry = CacheEntry(
      payload: try codec.encodeEntryPayload(value),
      codec: codec.identifier,
      type: TypeIdentity.of(Value.self),
      created: 0
    )
    let read = try Envelope.decode(Envelope.encode(entry, key: [1])).entry
    return try codec.decodePayload(read.payload)
  }

  private func check<Value: Sendable & Equatable>(_ values: Value...) throws {
    for value in values { #expect(try roundTrip(value) == value) }
  }

  @Test func `B067 plain values at the top level come back`() throws {
    try check(42, .min, .max)
    try check(UInt64.max, 0)
    try check(true, false)
    try check("x", "", "e\u{301}\0")
    try check(Data(), Data([0, 255]))
    try check([UInt8](), [0, 255])
    try check([Int](), [1])
    try check(UUID())
    try check(Int?.some(3), nil)
    try check(String?.some(""), "a", nil)
    try check(Data?.some(Data()), nil)
    try check(Int??.some(.some(1)), .some(.none), .none)
  }

  @Test func `B069 numbers come back bit for bit`() throws {
    let doubles: [Double] = [
      0.027121761950711698, 0.1 + 0.2, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0, 1e23,
    ]
    for double in doubles {
      #expect(try roundTrip(double).bitPattern == double.bitPattern)
      #expect(try roundTrip([double])[0].bitPattern == double.bitPattern)
    }
    #expect(try roundTrip(Float(0.1)).bitPattern == Float(0.1).bitPattern)
    try check(9_007_199_254_740_993, Int.max)
    try check(UInt64.max)
  }

  @Test func `B070 dates come back to the last bit`() throws {
    try check(
      Date(timeIntervalSince1970: 1_674_036_251.123),
      .distantPast,
      .distantFuture,
      Date(timeIntervalSinceReferenceDate: 0.1)
    )
  }

  private struct Samples: Codable, Sendable { var x: [Double] }

  @Test func `B071 NaN and the infinities come back`() throws {
    let read = try roundTrip(Samples(x: [.nan, .infinity, -.infinity, 1])).x
    #expect(read[0].isNaN)
    #expect(Array(read[1...]) == [.infinity, -.infinity, 1])
  }

  @Test func `a codec of the user's own may throw`() throws {
    struct Boom: Error {}
    let codec = Codec<Int>(
      identifier: CodecIdentifier(rawValue: 300),
      encode: { _ in throw Boom() },
      decode: { _ in throw Boom() }
    )
    #expect(throws: Boom.self) { try codec.encodeEntryPayload(1) }
    #expect(throws: Boom.self) { try codec.decodePayload([1]) }
    #expect(try codec.optional().encodeEntryPayload(nil) == nil)
    #expect(throws: Boom.self) { try codec.optional().encodeEntryPayload(1) }
  }

  @Test func `B074 bytes are raw and JSON does not escape slashes`() throws {
    let data = Data(repeating: 0xFF, count: 100_000)
    let codec = try #require(Codec<Data>.automatic())
    #expect(codec.identifier == .raw)
    #expect(try codec.encodeEntryPayload(data)?.count == 100_000)
    #expect(Codec<[UInt8]?>.automatic()?.identifier == .raw)
    #expect(Codec<String>.automatic()?.identifier == .raw)
    let urls = try #require(Codec<[String]>.automatic())
    #expect(try urls.encodeEntryPayload(["a/b"]) == Array(#"["a/b"]"#.utf8))
  }

  @Test func `equal values give equal bytes`() throws {
    let codec = Codec<[String: Int]>.json
    let first = try codec.encodeEntryPayload(["a": 1, "b": 2, "c": 3])
    let second = try codec.encodeEntryPayload(["c": 3, "b": 2, "a": 1])
    #expect(first == second)
  }

  // `@unchecked Sendable`: they stay in the test's own task.
  private class Base: Codable, @unchecked Sendable { var a = 1 }
  private final class Derived: Base, @unchecked Sendable { var b = 2 }
  private enum Shape: Codable, Sendable, Equatable {
    case circle(radius: Double)
    case named(String, Int)
  }

  @Test func `B075 a subclass is refused rather than cut down`() throws {
    let error = #expect(throws: CacheError.self) { try roundTrip(Derived() as Base) }
    #expect(error?.code == .unsupportedType)
    #expect(throws: CacheError.self) { try roundTrip(Derived() as Base?) }
    #expect(throws: CacheError.self) { try Codec<Base>.json.encodeEntryPayload(Derived()) }
    let plain = Base()
    plain.a = 5
    #expect(try roundTrip(plain).a == 5)
    try check(Shape.circle(radius: 1.5), .named("x", 2))
  }

  @Test func `a type that is not Codable has no codec`() {
    struct Opaque: Sendable {}
    #expect(Codec<Opaque>.automatic() == nil)
    #expect(Codec<Opaque?>.automatic() == nil)
    #expect(Codec<[Opaque]>.automatic() == nil)
    #expect(Codec<@Sendable () -> Void>.automatic() == nil)
  }

  @Test func `nil in a record is no value of a type without nil`() throws {
    let codec = try #require(Codec<Int>.automatic())
    #expect(throws: CacheError.self) { try codec.decodePayload(nil) }
    #expect(throws: (any Error).self) { try codec.decodePayload(Array("null".utf8)) }
    #expect(throws: (any Error).self) { try Codec<String>.raw.decodePayload([0xFF]) }
  }
}
