import Foundation
import Testing

@testable import CacheAside

private enum Sort: String, CacheKeyConvertible { case newest }

private func pack<each Argument: CacheKeyConvertible>(
  _ arguments: repeat each Argument
) -> ArgumentPack<repeat each Argument> {
  ArgumentPack(repeat each arguments)
}

private func derived<Key: CacheKeyConvertible>(_ key: Key) -> String {
  KeyStrategy<Key>.arguments(name: "now").derive(key).text
}

@Suite struct ArgumentKeyTests {
  @Test(arguments: [":", "|", ",", "/", "\u{0}", "\u{1F}", "(", ")", "'", "%", "','", ")("])
  func `B034 K1 where a separator sits is part of the key`(separator: String) {
    let pairs = [
      ("a\(separator)b", "c"), ("a", "b\(separator)c"), ("", "x"), ("x", ""),
      ("\(separator)", ""), ("", "\(separator)"), ("a\(separator)", "bc"), ("ab", "\(separator)c"),
    ]
    let keys = pairs.map { CacheKey(name: "f", arguments: $0.0, $0.1) }
    #expect(Set(keys).count == pairs.count)
    let templates = pairs.map { "f/\($0.0)/\($0.1)" as CacheKey }
    #expect(Set(templates).count == pairs.count)
    let tables = pairs.map { ArgumentPair($0.0, $0.1).keyIdentity }
    #expect(Set(tables).count == pairs.count)
  }

  @Test func `B035 types that print alike are different arguments`() throws {
    let id = UUID()
    let keys = [
      CacheKey(name: "f", arguments: 1), CacheKey(name: "f", arguments: "1"),
      CacheKey(name: "f", arguments: 1.0), CacheKey(name: "f", arguments: true),
      CacheKey(name: "f", arguments: "true"), CacheKey(name: "f", arguments: id),
      CacheKey(name: "f", arguments: id.uuidString.lowercased()),
      CacheKey(name: "f", arguments: try #require(URL(string: "1"))),
      CacheKey(name: "f", arguments: "url'1"), CacheKey(name: "f", arguments: Int?.none),
      CacheKey(name: "f", arguments: "%-"), CacheKey(name: "f", arguments: "1" as CacheKey),
      CacheKey(name: "f", arguments: [1]), CacheKey(name: "f"), CacheKey(name: "f", arguments: ""),
    ]
    #expect(Set(keys).count == keys.count)
    // The policy: integers by value, optionals as their value.
    #expect(CacheKey(name: "f", arguments: UInt8(1)) == keys[0])
    #expect(CacheKey(name: "f", arguments: Int?.some(1)) == keys[0])
  }

  @Test func `K5 an argument key prints its name and parts`() throws {
    let id = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let url = try #require(URL(string: "https://h/a"))
    #expect(CacheKey(name: "now").text == "%now()")
    #expect(CacheKey(name: "user", arguments: 42).text == "%user(42)")
    #expect(CacheKey(name: "search", arguments: "swift", -2).text == "%search('swift,-2)")
    #expect(CacheKey(name: "f", arguments: true, Bool?.none).text == "%f(true,%-)")
    #expect(
      CacheKey(name: "f", arguments: id, url).text
        == "%f(6ba7b810-9dad-11d1-80b4-00c04fd430c8,url'https%3A%2F%2Fh%2Fa)"
    )
    #expect(CacheKey(name: "f", arguments: Sort.newest).text == "%f('newest)")
    #expect(CacheKey(name: "f", arguments: "a,b(c)'%").text == "%f('a%2Cb%28c%29%27%25)")
    #expect(CacheKey(name: "f", arguments: 1.5).text == "%f(%~ZD_4AAAAAAAA)")
    #expect(CacheKey(name: "a/b(c)", arguments: 1).text == "%a%2Fb%28c%29(1)")
  }

  @Test(arguments: ["25abc", "ABBA", "F1", "-", "~a", "AB", "A", "", "%", "user", "2", "%41B", "日"])
  func `no name makes an argument key that reads as a template`(name: String) {
    let key = CacheKey(name: name)
    let templates: [CacheKey] = [
      CacheKey(stringLiteral: "%\(name)()"), CacheKey(stringLiteral: "\(name)()"), "\(name)()",
      "\("%" + name)()", "%\(name)()", "\(Int?.none)\(name)()",
    ]
    #expect(!templates.contains(key))
    let escape = key.text.utf8.dropFirst().prefix(2)
    #expect(!escape.allSatisfy(Hex.isUppercaseDigit) || escape.count < 2)
    #expect(key.text.hasPrefix("%-") == false && key.text.hasPrefix("%~") == false)
  }

  @Test func `names differ as the texts do`() {
    let names = ["25abc", "%25abc", "5abc", "%41BBA", "ABBA", "abba", "", "a(", "a)", "a,b", "%"]
    #expect(Set(names.map { CacheKey(name: $0) }).count == names.count)
  }

  @Test func `B047 functions without arguments have one key each`() {
    #expect(CacheKey(name: "now") == CacheKey(name: "now"))
    #expect(CacheKey(name: "now") != CacheKey(name: "today"))
    #expect(pack() == pack())
    #expect(pack().hashValue == pack().hashValue)
    #expect(derived(pack()) == "%now()")
  }
}
