import Foundation
import Testing

@testable import CacheAside

private enum Sort: String { case newest, byName = "by/name" }
private enum Level: Int, CacheKeyConvertible { case low = 1 }
private struct UserID: CacheKeyConvertible {
  let number: Int
  func encode(into encoder: inout CacheKey.Encoder) { encoder.encode(number) }
}
private struct Point: Codable, Hashable, CacheKeyConvertible { var x: Int, y: Int }

@Suite struct TemplateKeyTests {
  @Test func `K5 literals keep their characters`() {
    #expect(("user/42" as CacheKey).text == "user/42")
    #expect(("a:b c\t/" as CacheKey).text == "a:b c\t/")
    #expect(("100%" as CacheKey).text == "100%25")
    #expect(("" as CacheKey).text == "")
    #expect(CacheKey("a%/\("b/c")").text == "a%25/b%2Fc")
    #expect(("日本/é" as CacheKey).text == "日本/é")
  }

  @Test func `K5 interpolated integers, truth values and strings are text`() {
    #expect(("user/\(42)" as CacheKey) == "user/42")
    #expect(("\(-7)/\(UInt64.max)" as CacheKey).text == "-7/18446744073709551615")
    #expect(("\(Int128.min)" as CacheKey).text == Int128.min.description)
    #expect(("\(true)/\(false)" as CacheKey).text == "true/false")
    #expect(("x/\("me")" as CacheKey).text == "x/me")
    #expect(("x/\("remember".prefix(2))" as CacheKey).text == "x/re")
  }

  @Test func `K5 interpolated parts escape percent, slash, colon and controls`() {
    #expect(("\("a/b")" as CacheKey).text == "a%2Fb")
    #expect(("\("a:b%")" as CacheKey).text == "a%3Ab%25")
    #expect(("\("a\u{0}\n\u{1F}\u{7F}")" as CacheKey).text == "a%00%0A%1F%7F")
    #expect(("\("\u{85}é")" as CacheKey).text == "%C2%85é")
    #expect(("\("a b?#[]*'(),")" as CacheKey).text == "a b?#[]*'(),")
  }

  @Test func `raw values are text`() {
    #expect(("list/\(Sort.newest)" as CacheKey).text == "list/newest")
    #expect(("list/\(Sort.byName)" as CacheKey).text == "list/by%2Fname")
    #expect(("list/\(Sort?.some(.newest))" as CacheKey).text == "list/newest")
    #expect(("list/\(Sort?.none)" as CacheKey).text == "list/%-")
    #expect(("\(Level.low)/\(Level?.none)" as CacheKey).text == "1/%-")
    #expect(("\(UserID(number: 42))" as CacheKey).text == "42")
  }

  @Test func `K5 optionals are their value, nil is its own escape`() {
    let none: Int? = nil
    let noName: String? = nil
    #expect(("u/\(none)" as CacheKey).text == "u/%-")
    #expect(("u/\(Optional(42))" as CacheKey).text == "u/42")
    #expect(("u/\(noName)/\(Optional("a/b"))" as CacheKey).text == "u/%-/a%2Fb")
    #expect(("\(Optional(true))\(Bool?.none)" as CacheKey).text == "true%-")
    #expect(("\("%-")" as CacheKey).text == "%25-")
  }

  @Test func `levels of nested optionals differ`() {
    let keys: [CacheKey] = [
      "\(Int??.none)", "\(Int??.some(.none))", "\(Int??.some(7))", "\(String??.some(.none))",
    ]
    #expect(keys.map(\.text) == ["%-", "%~c24", "7", "%~c24"])
  }

  @Test func `identifiers and addresses are text`() throws {
    let id = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let url = try #require(URL(string: "https://h.example/p?q=1#f"))
    let idText = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    #expect(("d/\(id)" as CacheKey).text == "d/\(idText)")
    #expect(("\(Optional(id))" as CacheKey).text == idText)
    #expect(("\(url)" as CacheKey).text == "https%3A%2F%2Fh.example%2Fp?q=1#f")
    #expect(("\(Optional(url))" as CacheKey) == "\(url)")
  }

  @Test func `K5 other types are base64url of their bytes`() {
    let bytes = Base64URL.encode(CacheKey.Encoder.bytes(of: Point(x: 1, y: 2)))
    #expect(("at/\(Point(x: 1, y: 2))" as CacheKey).text == "at/%~\(bytes)")
    #expect(("\(1.5)" as CacheKey).text == "%~ZD_4AAAAAAAA")
    #expect(("\([1, 2])" as CacheKey) != "\([12])")
  }

  @Test func `a type prints alike in generic code and outside`() {
    func key(_ value: some CacheKeyConvertible) -> CacheKey { "k/\(value)" }
    #expect(key(42) == "k/\(42)")
    #expect(key(UInt8(200)) == "k/\(200)")
    #expect(key(UInt128.max) == "k/\(UInt128.max)")
    #expect(key(Int64.min) == "k/\(Int64.min)")
    #expect(key(Int128.min) == "k/\(Int128.min)")
    #expect(key(-129) == "k/\(-129)")
    #expect(key("a/é") == "k/\("a/é")")
    #expect(key(true) == "k/true")
    #expect(key("ab"[...]) == "k/ab")
    #expect(key(Character("é")) == "k/é")
    #expect(key(Int?.none) == "k/\(Int?.none)")
    #expect(key(Level.low) == "k/1")
    #expect(key("a/b" as CacheKey) == "k/\("a/b" as CacheKey)")
  }

  @Test func `a key in a key is one part, with its namespace`() {
    let inner: CacheKey = "a/\("b:c")"
    let inNamespace = inner.within(Namespace("n"))
    let spelled: CacheKey = "n:a/\("b:c")"
    #expect(("x/\(inner)" as CacheKey).text == "x/a%2Fb%253Ac")
    #expect(("\(inNamespace)" as CacheKey) != "\(inner)")
    #expect(("\(inNamespace)" as CacheKey) != "\(spelled)")
    #expect(("\(inNamespace)" as CacheKey).text.hasPrefix("%~"))
  }
}
