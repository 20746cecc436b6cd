import Foundation
import Testing

@testable import CacheAside

private enum Shape: CacheKeyConvertible {
  case pair(Int, Int)
  case list([Int])
  case inner(Two)
  case optional(Int?)
  case nothing

  func encode(into encoder: inout CacheKey.Encoder) {
    switch self {
    case .pair(let a, let b):
      encoder.encode(a)
      encoder.encode(b)
    case .list(let values): for value in values { encoder.encode(value) }
    case .inner(let two): encoder.encode(two)
    case .optional(let value): encoder.encode(value)
    case .nothing: break
    }
  }
}

private struct Two: CacheKeyConvertible {
  var a: Int, b: Int
  func encode(into encoder: inout CacheKey.Encoder) {
    encoder.encode(a)
    encoder.encode(b)
  }
}

private struct Many: CacheKeyConvertible {
  var values: [Int]
  func encode(into encoder: inout CacheKey.Encoder) {
    for value in values { encoder.encode(value) }
  }
}

@Suite struct KeyEncodingTests {
  func bytes(_ value: some CacheKeyConvertible) -> [UInt8] { CacheKey.Encoder.bytes(of: value) }

  @Test func `B035 K1 types that print alike differ`() throws {
    let id = UUID()
    let url = try #require(URL(string: id.uuidString))
    let parts = [
      bytes(1), bytes("1"), bytes(1.0), bytes(true), bytes(id), bytes(id.uuidString),
      bytes(id.uuidString.lowercased()), bytes(url), bytes([1]), bytes(Set([1])), bytes([1: 1]),
      bytes(1..<1), bytes(1...1), bytes(Duration.seconds(1)), bytes(Date(timeIntervalSince1970: 1)),
      bytes(Data("1".utf8)), bytes(Decimal(1)), bytes("1" as CacheKey), bytes(Int?.none), bytes(""),
      bytes([Int]()), bytes(Set<Int>()), bytes([Int: Int]()), bytes(Data()),
    ]
    #expect(Set(parts).count == parts.count)
  }

  @Test func `B035 integers go by value, whatever their type`() {
    #expect(bytes(1) == bytes(UInt8(1)))
    #expect(bytes(-1) == bytes(Int8(-1)))
    #expect(bytes(Int128(-1)) == bytes(Int16(-1)))
    #expect(bytes(UInt64.max) == bytes(UInt128(UInt64.max)))
    #expect(bytes(UInt64.max) != bytes(-1))
    #expect(bytes(UInt8.max) != bytes(Int8(-1)))
    #expect(bytes(Int64.min) == bytes(Int128(Int64.min)))
    let edges: [Int128] = [7, 8, 15, 16, 31, 32, 63, 64, 126].flatMap { shift in
      let power = Int128(1) << shift
      return [power - 1, power, power + 1, -power - 1, -power, 1 - power]
    }
    #expect(Set(edges.map { bytes($0) }).count == Set(edges).count)
  }

  @Test func `B035 a value and the optional of it are the same, nil differs`() {
    #expect(bytes(Int?.some(1)) == bytes(1))
    #expect(bytes(Two?.some(Two(a: 1, b: 2))) == bytes(Two(a: 1, b: 2)))
    #expect(bytes([Int]?.some([1])) == bytes([1]))
    #expect(bytes(Int?.none) != bytes(0) && bytes(String?.none) != bytes(""))
    let levels: [Int???] = [.none, .some(.none), .some(.some(.none)), 1]
    #expect(Set(levels.map { bytes($0) }).count == 4)
    #expect(bytes(Int???.some(1)) == bytes(1))
    #expect(bytes([Int?.none]) != bytes([Int?]()))
  }

  @Test func `substrings and characters are the strings that they spell`() {
    #expect(bytes("abc".dropFirst()) == bytes("bc"))
    #expect(bytes(Character("é")) == bytes("e\u{301}"))
    #expect(bytes([1, 2, 3].dropFirst()) == bytes([2, 3]))
  }

  @Test func `B045 K1 negative zero is zero and every NaN is one`() {
    let nans = [
      Double.nan, -Double.nan, .signalingNaN, Double(nan: 7, signaling: false),
      Double(bitPattern: 0xFFF8_0000_0000_0123),
    ]
    #expect(Set(nans.map { bytes($0) }).count == 1)
    #expect(bytes(Float.nan) == bytes(Double.nan))
    #expect(bytes(-0.0) == bytes(0.0))
    #expect(bytes(Float(-0.0)) == bytes(0.0))
    #expect(bytes(Double.infinity) != bytes(-Double.infinity))
    #expect(bytes(Float(0.1)) == bytes(Double(Float(0.1))))
    #expect(bytes(Float(0.1)) != bytes(0.1))
    #expect(bytes(Double.leastNonzeroMagnitude) != bytes(0.0))
    #expect(bytes(Set([Double.nan, .signalingNaN])) == bytes(Set([Double.nan])))
  }

  @Test func `B037 K1 sets and dictionaries do not depend on the order of insertion`() {
    let words = (0..<50).map { "word\($0)" }
    let forward = words.reduce(into: Set(minimumCapacity: 1)) { $0.insert($1) }
    let backward = words.reversed().reduce(into: Set(minimumCapacity: 1000)) { $0.insert($1) }
    #expect(bytes(forward) == bytes(backward))
    let pairs = words.map { ($0, $0.count) }
    let one = Dictionary(uniqueKeysWithValues: pairs)
    var other = [String: Int](minimumCapacity: 1000)
    for (key, value) in pairs.reversed() { other[key] = value }
    #expect(bytes(one) == bytes(other))
    #expect(bytes([forward]) == bytes([backward]))
    #expect(bytes(["a": 1, "b": 2]) != bytes(["a": 2, "b": 1]))
  }

  @Test func `the form of a value is never that of another of its type`() {
    let shapes: [Shape] = [
      .pair(1, 2), .list([]), .list([1]), .list([1, 2, 3]), .inner(Two(a: 1, b: 2)),
      .optional(nil), .nothing,
    ]
    let forms = shapes.map { bytes($0) }
    // `.list([])` and `.nothing` both encode nothing, `.list([1])` is not `.optional(1)` by luck:
    // what a type writes is all that counts.
    #expect(forms[1] == forms[6])
    #expect(Set(forms).count == forms.count - 1)
    #expect(bytes(Shape.optional(1)) == bytes(Shape.list([1])))
    #expect(bytes(Shape.pair(1, 2)) == bytes(Two(a: 1, b: 2)))
  }

  @Test func `K1 parts of a type do not run into those that follow`() {
    let cuts = [([1], [2, 3]), ([1, 2], [3]), ([], [1, 2, 3]), ([1, 2, 3], [])]
      .map { bytes(ArgumentPair(Many(values: $0.0), Many(values: $0.1))) }
    #expect(Set(cuts).count == cuts.count)
    let texts = [("ab", "c"), ("a", "bc"), ("", "abc"), ("abc", "")]
      .map { bytes(ArgumentPair($0.0, $0.1)) }
    #expect(Set(texts).count == texts.count)
  }

  @Test func `dates, decimals and addresses go by value`() throws {
    let now = Date()
    #expect(
      bytes(now) == bytes(Date(timeIntervalSinceReferenceDate: now.timeIntervalSinceReferenceDate))
    )
    #expect(bytes(now) != bytes(now.addingTimeInterval(1e-6)))
    let scaled = try #require(Decimal(string: "1.00"))
    #expect(bytes(scaled) == bytes(Decimal(1)))
    #expect(bytes(try #require(Decimal(string: "100"))) != bytes(Decimal(1)))
    #expect(
      bytes(try #require(Decimal(string: "-0.50")))
        == bytes(Decimal(sign: .minus, exponent: -1, significand: 5))
    )
    #expect(bytes(Decimal.nan) == bytes(Decimal.nan))
    let base = try #require(URL(string: "https://h/a/"))
    #expect(
      bytes(try #require(URL(string: "b", relativeTo: base)))
        == bytes(try #require(URL(string: "https://h/a/b")))
    )
    #expect(
      bytes(Data([1, 2]))
        == {
          var e = CacheKey.Encoder(); e.encode(bytes: [1, 2]); return e.bytes
        }()
    )
  }
}
