import Testing

@testable import CacheAside

@Suite struct ShortTextTests {
  /// The text of a part as the slow way writes it.
  private func escaped(_ part: String, _ set: CacheKey.EscapeSet) -> String {
    var text = ""
    CacheKey.appendEscaped(part, set, to: &text)
    return text
  }

  @Test func `a key of any length has the text that it was made of`() {
    for count in [0, 1, 7, 8, 9, 15, 16, 23, 24, 25, 30, 31, 32, 33, 34, 63, 64, 65, 66, 200] {
      let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(0x61 + $0 % 26))) })
      let keys: [CacheKey] = [CacheKey(text: text, namespace: nil), "\(text)"]
      for key in keys {
        #expect(key.text == text)
        #expect(key.bytes == Array((":" + text).utf8))
        #expect(key == keys[0] && key.hashValue == keys[0].hashValue)
        #expect(key._rawHashValue(seed: 3) == keys[0]._rawHashValue(seed: 3))
        #expect(key.text.utf8.count <= ShortText.capacity || key != "\(text.dropLast())")
      }
    }
  }

  @Test func `texts that differ in one byte or in their length are different keys`() {
    var seen: Set<CacheKey> = []
    var count = 0
    for length in [0, 1, 2, 8, 24, 30, 31, 32, 33, 70] {
      for place in 0..<max(length, 1) {
        for byte in [UInt8(0x00), 0x41, 0x42, 0x7F] where length > 0 {
          var bytes = [UInt8](repeating: 0x61, count: length)
          bytes[place] = byte
          let text = String(decoding: bytes, as: UTF8.self)
          #expect(seen.insert(CacheKey(text: text, namespace: nil)).inserted)
          count += 1
        }
      }
    }
    #expect(seen.insert("").inserted)
    #expect(Set(seen.map { $0._rawHashValue(seed: 1) }).count == count + 1)
    #expect(CacheKey(text: "a\u{0}", namespace: nil) != CacheKey(text: "a", namespace: nil))
  }

  @Test func `a text that ends in any character keeps it at 32 bytes`() {
    for last in ["\u{7F}", "\u{BF}", "\u{7FF}", "\u{FFFD}", "\u{10FFFF}"] {
      let text = String(repeating: "a", count: 32 - last.utf8.count) + last
      #expect(CacheKey(text: text, namespace: nil).text == text)
    }
  }

  @Test func `short and long keys keep their text in a namespace`() {
    let (north, south) = (Namespace("north"), Namespace("south"))
    for key: CacheKey in ["user/42", "a/text/that/is/longer/than/the/words/of/a/key"] {
      let moved = key.within(north)
      #expect(moved.text == key.text && moved.namespace == north)
      #expect(moved != key && moved != key.within(south))
      #expect(moved == key.within(Namespace("north")))
      #expect(moved.hashValue == key.within(Namespace("north")).hashValue)
      #expect(moved.moved(to: nil) == key && moved.within(south) == key.within(south))
    }
    let one: CacheKey = "a/text/that/is/longer/than/the/words/of/a/\("key")"
    let other: CacheKey = "a/text/that/is/longer/than/the/words/of/a/\("kex")"
    #expect(one.within(north) != other.within(north))
  }

  @Test func `integers print as their description`() {
    var numbers: [Int64] = [0, .min, .max, -1, 10_000, 99_999_999, 100_000_000]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power - 1, power, power + 1, -power, 7 * (power / 10) + 3]
    }
    for number in numbers {
      #expect(("\(number)" as CacheKey).text == number.description)
      #expect(("n\(number)/\(number)" as CacheKey).text == "n\(number)/\(number)")
    }
    #expect(
      ("\(UInt64.max)\(UInt8.max)\(Int8.min)" as CacheKey).text == "18446744073709551615255-128"
    )
    let many: CacheKey = "\(Int64.min)\(Int64.min)\(Int64.min)\(Int64.min)\(7)"
    #expect(many.text == String(repeating: Int64.min.description, count: 4) + "7")
  }

  @Test func `every byte is escaped wherever it stands, or stays`() {
    for length in [1, 2, 5, 7, 8, 9, 12, 17] {
      for place in 0..<length {
        for byte in UInt8(0)..<0x80 {
          var bytes = [UInt8](repeating: 0x7A, count: length)
          bytes[place] = byte
          let part = String(decoding: bytes, as: UTF8.self)
          let text = ("x/\(part)/\(length)" as CacheKey).text
          #expect(text == "x/\(escaped(part, .part))/\(length)")
          #expect(CacheKey(stringLiteral: part).text == escaped(part, .literal))
        }
      }
    }
  }
}
