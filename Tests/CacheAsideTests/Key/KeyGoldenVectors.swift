// The canonical bytes and printed forms as they are, computed by hand from the format's
// description. A change of the format loses what is on disk; a platform that differs shows here.
import Foundation
import Testing

@testable import CacheAside

/// A value with the bytes that it has on every platform and in every version.
struct KeyGoldenVector: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let hex: String

  init(_ description: String, _ value: some CacheKeyConvertible, _ hex: String) {
    testDescription = description
    bytes = CacheKey.Encoder.bytes(of: value)
    self.hex = hex.filter { $0 != " " }
  }

  static let all: [KeyGoldenVector] = [
    KeyGoldenVector("Int 0", 0, "69 01 00"),
    KeyGoldenVector("Int 127", 127, "69 01 7f"),
    KeyGoldenVector("Int 128", 128, "69 02 0080"),
    KeyGoldenVector("Int -1", -1, "69 01 ff"),
    KeyGoldenVector("Int -128", -128, "69 01 80"),
    KeyGoldenVector("Int -129", -129, "69 02 ff7f"),
    KeyGoldenVector("UInt8 255", UInt8.max, "69 02 00ff"),
    KeyGoldenVector("Int64.min", Int64.min, "69 08 8000000000000000"),
    KeyGoldenVector("UInt64.max", UInt64.max, "69 09 00ffffffffffffffff"),
    KeyGoldenVector("Int128.max", Int128.max, "69 10 7fffffffffffffffffffffffffffffff"),
    KeyGoldenVector("true", true, "62 01"),
    KeyGoldenVector("Double 1", 1.0, "64 3ff0000000000000"),
    KeyGoldenVector("Double -0", -0.0, "64 0000000000000000"),
    KeyGoldenVector("Double NaN", -Double.nan, "64 7ff8000000000000"),
    KeyGoldenVector("Float 0.1", Float(0.1), "64 3fb99999a0000000"),
    KeyGoldenVector("empty string", "", "75 00"),
    KeyGoldenVector("é decomposed", "e\u{301}", "75 02 c3a9"),
    KeyGoldenVector("Hangul jamo", "\u{1112}\u{1161}\u{11AB}", "75 03 ed959c"),
    KeyGoldenVector("excluded composite", "\u{958}", "75 06 e0a495e0a4bc"),
    KeyGoldenVector("singleton", "\u{212B}", "75 02 c385"),
    KeyGoldenVector("marks in order", "q\u{307}\u{323}", "75 05 71cca3cc87"),
    KeyGoldenVector("emoji", "👍🏽", "75 08 f09f918df09f8fbd"),
    KeyGoldenVector("NUL", "a\u{0}", "75 02 6100"),
    KeyGoldenVector("200 a", String(repeating: "a", count: 200), "75 c801" + a200),
    KeyGoldenVector("nil", Int?.none, "6e"),
    KeyGoldenVector("some nil", Int??.some(.none), "73 6e"),
    KeyGoldenVector("some 7", Int??.some(7), "69 01 07"),
    KeyGoldenVector("list", [1, nil], "6c 04 690101 6e"),
    KeyGoldenVector("empty list", [Int](), "6c 00"),
    KeyGoldenVector("set", Set(["b", "a", "aa"]), "65 0a 750161 750162 75026161"),
    KeyGoldenVector("dictionary", [2: true, 1: false], "6d 0a 690101 6200 690102 6201"),
    KeyGoldenVector("range", 1..<3, "52 06 690101 690103"),
    KeyGoldenVector("closed range", 1...3, "43 06 690101 690103"),
    KeyGoldenVector("duration", Duration.milliseconds(-1500), "44 0d 6901ff 6908f90fa4a62c4e0000"),
    KeyGoldenVector("pair", ArgumentPair(1, "a"), "63 06 690101 750161"),
    KeyGoldenVector(
      "pair of pair",
      ArgumentPair(ArgumentPair(1, 2), 3),
      "63 0b 63 06 690101 690102 690103"
    ),
    KeyGoldenVector("key", "a/b" as CacheKey, "6b 04 3a612f62"),
    KeyGoldenVector("data", Data([0, 255]), "78 02 00ff"),
    KeyGoldenVector("date", Date(timeIntervalSinceReferenceDate: 1), "54 3ff0000000000000"),
    KeyGoldenVector("decimal", Decimal(string: "-1.50"), "51 04 2d312e35"),
    KeyGoldenVector(
      "UUID",
      UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
      "55 6ba7b8109dad11d180b400c04fd430c8"
    ),
    KeyGoldenVector("URL", URL(string: "http://h"), "4c 08 687474703a2f2f68"),
    KeyGoldenVector(
      "B038 dictionary",
      ["a": 1, "B": 2, "é": 3, "\u{65}\u{301}x": 4],
      "6d 1b 750142690102 750161690101 7502c3a9690103 7503c3a978690104"
    ),
    KeyGoldenVector(
      "codable",
      GoldenCodable(tags: ["z", "x", "y"], opts: ["b": 2, "a": 1]),
      "6f 25 75046f707473 6d0c 750161690101 750162690102 750474616773 6509 750178 750179 75017a"
    ),
  ]

  private static let a200 = String(repeating: "61", count: 200)
}

/// The type of B037.
struct GoldenCodable: Codable, Hashable, CacheKeyConvertible {
  var tags: Set<String>
  var opts: [String: Int]
}
