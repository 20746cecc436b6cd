import Testing

@testable import CacheAside

@Suite struct ChecksumTests {
  /// The reference values of XXH64.
  @Test(
    arguments: [
      ("", 0, 0xEF46_DB37_51D8_E999),
      ("", 1, 0xD5AF_BA13_36A3_BE4B),
      ("a", 0, 0xD24E_C4F1_A98C_6E5B),
      ("abc", 0, 0x44BC_2CF5_AD77_0999),
      ("The quick brown fox jumps over the lazy dog", 0, 0x0B24_2D36_1FDA_71BC),
    ] as [(String, UInt64, UInt64)]
  )
  func `known texts have known checksums`(text: String, seed: UInt64, expected: UInt64) {
    #expect(Checksum.of(Array(text.utf8), seed: seed) == expected)
  }

  @Test func `does not depend on alignment, and every byte counts`() {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for length in 0..<150 {
      let expected = Checksum.of(Array(bytes[3..<(3 + length)]))
      let shifted = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: buffer[3..<(3 + length)]))
      }
      #expect(shifted == expected)
      for index in 0..<length {
        var other = Array(bytes[3..<(3 + length)])
        other[index] ^= 1
        #expect(Checksum.of(other) != expected)
      }
    }
  }
}
