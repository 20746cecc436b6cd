import Testing

@testable import CacheAside

@Suite struct StringHashTests {
  private let key = SipHash.Key(seed: 7)

  private static let vectors: [(String, UInt64)] = [
    ("a", 0x4074_48D2_B89B_1813), ("ab", 0x5555_08CB_C6AD_D439),
    ("abcdefg", 0x6DB1_2AAE_9070_F506), ("abcdefgh", 0x3F7B_849C_0B8E_35EA),
    ("abcdefghi", 0xF89B_34A3_D11E_B6E5), ("abcdefghijklm", 0x954A_A964_997A_E4E6),
    ("abcdefghijklmno", 0x1FD2_7A29_B0E9_DC7A),
    ("key:0123456789abcdef", 0x4356_EDE1_2275_29AA),
    (String(repeating: "x", count: 64), 0x4BEF_BA7C_9610_AEA3),
  ]

  @Test(arguments: vectors)
  func `is SipHash-1-3 of the bytes`(_ text: String, _ expected: UInt64) {
    // The figures are those of CPython 3.11 with PYTHONHASHSEED=0.
    let zero = SipHash.Key(low: 0, high: 0)
    #expect(StringHash.hash(text, zero) == expected)
  }

  @Test func `every length counts every byte`() {
    for length in 1...40 {
      let bytes = [UInt8](repeating: 0x61, count: length)
      var seen: Set = [hash(bytes), hash(bytes.dropLast() + [])]
      for index in bytes.indices {
        var other = bytes
        other[index] = 0x62
        seen.insert(hash(other))
      }
      #expect(seen.count == length + 2)
    }
  }

  @Test func `a string and a last word are hashed as the words that they are`() {
    for length in 0...40 {
      let bytes = (0..<length).map { UInt8(0x41 + $0) }
      var state = SipHash(key)
      for start in stride(from: 0, through: length, by: 8) {
        // The last word has fewer than eight bytes, and the length.
        var word = start + 8 > length ? UInt64(length) << 56 : 0
        for (index, byte) in bytes[start..<min(start + 8, length)].enumerated() {
          word |= UInt64(byte) << (8 * index)
        }
        state.absorb(word)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let hash = unsafe withUnsafePointer(to: text) {
        unsafe key.hash(stringAt: UnsafeRawPointer($0), 99)
      }
      #expect(hash == state.finish(99), "\(length)")
      #expect(key.hash(text) == state.finished(), "\(length)")
    }
  }

  private func hash(_ bytes: [UInt8]) -> UInt64 {
    StringHash.hash(String(decoding: bytes, as: UTF8.self), key)
  }

  @Test func `no other scalars equal an ASCII character than those that are named`() {
    let characters = (0..<UInt8(0x80)).map { (String(Unicode.Scalar($0)), $0) }
    let equals = Dictionary(uniqueKeysWithValues: characters)
    for value in UInt32(0x80)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let ascii = equals[String(scalar)]
      if ascii != nil || StringHash.asciiEquivalent(of: scalar) != nil {
        #expect(StringHash.asciiEquivalent(of: scalar) == ascii)
      }
    }
  }

  @Test(arguments: [
    ("K", "\u{212A}"), ("a;b", "a\u{37E}b"), ("`", "\u{1FEF}"),
    ("20 degrees K in all of this", "20 degrees \u{212A} in all of this"),
    ("\u{E9}", "e\u{301}"), ("\u{E9}K", "e\u{301}\u{212A}"), ("\u{C5}", "\u{212B}"),
    ("\u{1F1E9}\u{1F1EA}", "\u{1F1E9}\u{1F1EA}"),
  ])
  func `equal strings have equal hashes`(_ one: String, _ other: String) throws {
    #expect(one == other)
    #expect(StringHash.hash(one, key) == StringHash.hash(other, key))
    let store = try MemoryStore<String, Int>(limits: .count(8))
    store.insert(1, for: one)
    #expect(store.value(for: other) == 1)
  }

  @Test func `other seeds give other hashes`() {
    let hashes = (0..<64).map { StringHash.hash("one key", SipHash.Key(seed: $0)) }
    #expect(Set(hashes).count == 64)
  }
}
