import Testing

@testable import CacheAside

@Suite struct TextEncodingTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
    ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"), ("\u{7FF}\u{FB}", "37_Duw"),
  ])
  func `writes base64url without padding`(bytes: String, text: String) {
    #expect(Base64URL.encode(Array(bytes.utf8)) == text)
  }

  @Test func `uses the alphabet that is safe in names`() {
    #expect(Base64URL.encode([0xFB, 0xEF, 0xBE, 0xFF]) == "----_w")
  }

  @Test func `writes hexadecimal digits`() {
    #expect(Hex.lowercase([0, 0x0A, 0xFF, 0x9B]) == "000aff9b")
    let words = SIMD8<UInt32>(0x0123_4567, 0x89AB_CDEF, 0, .max, 0x9A9A_9A9A, 0xA9A9_A9A9, 1, 16)
    #expect(
      Hex.lowercase(words: words)
        == "0123456789abcdef00000000ffffffff9a9a9a9aa9a9a9a90000000100000010"
    )
    #expect("0123456789abcdef".utf8.compactMap(Hex.value(ofLowercaseDigit:)) == Array(0...15))
    #expect("/:`gAF-".utf8.compactMap(Hex.value(ofLowercaseDigit:)) == [])
    #expect(Hex.uppercase(0x3C) == "3C")
    #expect("0123456789ABCDEF".utf8.compactMap(Hex.value(ofUppercaseDigit:)) == Array(0...15))
    #expect("/:@Gaf".utf8.compactMap(Hex.value(ofUppercaseDigit:)) == [])
  }

  @Test(arguments: [
    ("plain", "plain"),
    ("cafe\u{301}", "caf\u{E9}"),
    ("\u{212B}", "\u{C5}"),
    ("a\u{301}\u{323}", "\u{1EA1}\u{301}"),
    ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
    ("\u{AC00}\u{11A8}", "\u{AC01}"),
    ("\u{30AB}\u{3099}", "\u{30AC}"),
    ("\u{FA10}", "\u{585A}"),
    ("\u{958}", "\u{915}\u{93C}"),
    ("日本", "日本"),
    ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("\u{1D15E}", "\u{1D157}\u{1D165}"),
  ])
  func `B039 normalises to form C`(string: String, expected: String) {
    #expect(Array(Normalize.nfc(string).utf8) == Array(expected.utf8))
    #expect(Array(Normalize.nfc(expected).utf8) == Array(expected.utf8))
  }

  @Test func `calls only those scalars stable that normalisation leaves alone`() {
    let wrong = (0x80...0x1_FFFF as ClosedRange<UInt32>).filter { value in
      guard let scalar = Unicode.Scalar(value), Normalize.isStable(String(scalar)) else {
        return false
      }
      // The hexagram makes the text unstable as a whole, so that it really is normalised.
      let text = "\u{1100}\(scalar)\u{AC00}\(scalar)\u{4DC0}"
      return !Normalize.nfc(text).utf8.elementsEqual(text.utf8)
    }
    #expect(wrong == [])
    #expect(!Normalize.isStable("\u{4DC0}"))
  }
}
