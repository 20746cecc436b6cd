import Testing

@testable import CacheAside

@Suite struct KeyNormalizationTests {
  static let spellings: [(String, String)] = [
    ("caf\u{E9}", "cafe\u{301}"),
    ("\u{1E69}", "s\u{323}\u{307}"),
    ("q\u{323}\u{307}", "q\u{307}\u{323}"),
    ("\u{D55C}", "\u{1112}\u{1161}\u{11AB}"),
    ("\u{212B}ngstr\u{F6}m", "\u{C5}ngstro\u{308}m"),
    ("か\u{3099}/日", "が/日"),
  ]

  @Test(arguments: spellings)
  func `B039 K1 canonically equal strings are one key with the same bytes`(
    one: String,
    other: String
  ) {
    #expect(one == other && Array(one.utf8) != Array(other.utf8))
    let keys: [(CacheKey, CacheKey)] = [
      ("\(one)", "\(other)"),
      (CacheKey(stringLiteral: one), CacheKey(stringLiteral: other)),
      (CacheKey(name: one, arguments: one), CacheKey(name: other, arguments: other)),
      (
        ("k" as CacheKey).within(Namespace(one, scope: CacheScope([one: one]))),
        ("k" as CacheKey).within(Namespace(other, scope: CacheScope([other: other])))
      ),
    ]
    for (first, second) in keys {
      #expect(first == second)
      #expect(first.hashValue == second.hashValue)
      #expect(first.bytes == second.bytes)
      #expect(first.fileName == second.fileName)
      #expect(CacheKey(bytes: first.bytes) == second)
    }
    #expect(CacheKey.Encoder.bytes(of: one) == CacheKey.Encoder.bytes(of: other))
    #expect(CacheKey.Encoder.bytes(of: [one: one]) == CacheKey.Encoder.bytes(of: [other: other]))
  }

  @Test func `B039 the text of a key is in form C`() {
    let key: CacheKey = "cafe\u{301}/\("cafe\u{301}")"
    #expect(Array(key.text.utf8) == Array("caf\u{E9}/caf\u{E9}".utf8))
    #expect(key.text.utf8.count == 11)
  }

  @Test func `a mark joins the character before it only inside one part`() {
    let mark = "\u{301}"
    #expect(("e\(mark)" as CacheKey).text == "e%CC%81")
    #expect(("\("a:\(mark)")" as CacheKey).text == "a%3A%CC%81")
    #expect(("\("\u{A}\(mark)b\(mark)")" as CacheKey).text == "%0A%CC%81b\(mark)")
    #expect(("\(mark)" as CacheKey).text == "%CC%81")
    let text = ("\("/\u{323}\u{301}x")" as CacheKey).text
    #expect(text == "%2F%CC%A3%CC%81x")
    #expect((try? CacheKey(printable: text).text) == text)
  }

  @Test func `a mark in a literal never joins an escape`() throws {
    for key in ["\("\n")\u{301}" as CacheKey, "\(1.5)\u{301}", "\([1])\u{338}", "%\u{301}"] {
      #expect(try CacheKey(printable: key.text) == key)
      #expect(Normalize.nfc(key.text).utf8.elementsEqual(key.text.utf8))
    }
    #expect(("\u{301}a" as CacheKey).text == "\u{301}a")
  }

  @Test func `scripts, emoji, NUL and very long texts are keys of their own`() {
    let long = String(repeating: "日", count: 100_000)
    let strings = [
      "日本語", "中文", "한국어", "👍", "👍🏽", "👩‍👩‍👧‍👦", "a\u{0}b", "a", "ab", "", "\u{FEFF}a", "ß", "ss", "SS",
      "ﬁ", "fi", "\u{200B}", "K", "k", long, long + "a",
    ]
    let keys = strings.map { "\($0)" as CacheKey }
    #expect(Set(keys).count == strings.count)
    #expect(Set(keys.map(\.bytes)).count == strings.count)
    #expect(Set(keys.map(\.fileName)).count == strings.count)
  }
}
