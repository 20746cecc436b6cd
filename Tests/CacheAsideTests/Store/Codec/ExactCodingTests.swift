import Foundation
import Testing

@testable import CacheAside

/// Values that plain JSON changes, alone and inside others.
@Suite struct ExactCodingTests {
  private func roundTrip<Value: Sendable>(_ value: Value) throws -> Value {
    let codec = try #require(Codec<Value>.automatic())
    return try codec.decodePayload(try codec.encodeEntryPayload(value))
  }

  private struct Holder<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    var plain: Value
    var optional: Value?
    var list: [Value]
    var names: [String: Value]
    var pairs: [Int: Value?]
  }

  private enum Carrier<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    case one(Value)
    case two(Value?, name: Value)
    indirect case more([Carrier])
  }

  private final class Boxed<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    let value: Value
    init(_ value: Value) { self.value = value }
    static func == (one: Boxed, other: Boxed) -> Bool { one.value == other.value }
  }

  /// A value alone and in every place where one can be.
  private func check<Value: Codable & Sendable & Equatable>(_ values: Value...) throws {
    for value in values {
      #expect(try roundTrip(value) == value)
      #expect(try roundTrip(Optional(value)) == Optional(value))
      #expect(try roundTrip([value]) == [value])
      #expect(try roundTrip(["a": value]) == ["a": value])
      let holder = Holder(
        plain: value,
        optional: value,
        list: [value, value],
        names: ["n": value],
        pairs: [1: value, 2: nil]
      )
      #expect(try roundTrip(holder) == holder)
      #expect(try roundTrip(Carrier.one(value)) == .one(value))
      #expect(try roundTrip(Carrier.two(value, name: value)) == .two(value, name: value))
      #expect(try roundTrip(Carrier.two(nil, name: value)) == .two(nil, name: value))
      #expect(try roundTrip(Carrier.more([.one(value)])) == .more([.one(value)]))
      #expect(try roundTrip(Boxed(value)) == Boxed(value))
    }
  }

  @Test func `nested optionals come back as deep as they were (B400)`() throws {
    try check(Int??.none, .some(.none), .some(.some(1)))
    try check(Int???.none, .some(.none), .some(.some(.none)), 1)
    try check(Double????.none, .some(.none), .some(.some(.none)), .some(.some(.some(.none))), 1.5)
    try check([Int??.none, .some(.none), 3])
    try check(["a": Int??.none, "b": .some(.none), "c": 3])
    try check([[Int?]?.none, [nil, 1]], [])
    try check(String??.some(.none), "", "null")
  }

  @Test func `decimals come back, also what is no number (B401)`() throws {
    try check(Decimal.nan, 0, 1, -1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude)
    try check(Decimal(string: "0.1234567890123456789012345678901234567") ?? 0)
    try check(Decimal(sign: .minus, exponent: 127, significand: 9))
    try check(Decimal(sign: .plus, exponent: -128, significand: 7), .pi)
  }

  @Test func `relative URLs come back with their base (B236)`() throws {
    let base = try #require(URL(string: "http://a.example/b/d;p?q"))
    for text in ["../c?x=1", "#f", "?y", "//other/x", "g;x=1/../y", "http:g", "é/ü"] {
      let url = try #require(URL(string: text, relativeTo: base))
      let back = try roundTrip(url)
      #expect(
        back == url && back.baseURL == url.baseURL && back.relativeString == url.relativeString
      )
      try check(url)
    }
    let nested = try #require(URL(string: "x", relativeTo: URL(string: "y/", relativeTo: base)))
    try check(nested, URL(filePath: "a b/c"), URL(filePath: "/tmp/x"), base)
  }

  @Test func `what needs no form of its own is written as ever (B236)`() throws {
    struct Page: Codable { var url: URL, price: Decimal, note: String?, parts: [Int?], data: Data }
    let page = Page(
      url: try #require(URL(string: "https://a.example/x?y=1#z")),
      price: 1.25,
      note: nil,
      parts: [1, nil],
      data: Data([1, 2])
    )
    let text = String(decoding: try JSONCodec.encode(page), as: UTF8.self)
    #expect(
      text == #"{"data":"AQI=","parts":[1,null],"price":1.25,"url":"https://a.example/x?y=1#z"}"#
    )
    #expect(ExactNeed.of(Page.self))
    struct Plain: Codable { var name: String?, when: Date, parts: [[Int?]], id: UUID }
    #expect(!ExactNeed.of(Plain.self))
    #expect(!ExactNeed.of([String: Plain?].self))
    #expect(ExactNeed.of([Int??].self))
    #expect(ExactNeed.of(Carrier<URL>.self))
    #expect(!ExactNeed.of(Carrier<Int>.self) && ExactNeed.of(Boxed<Decimal>.self))
  }
}
