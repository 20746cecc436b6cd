/// Hexadecimal text.
enum Hex {
  /// The lower-case digits of bytes, two for each.
  ///
  /// - Parameter bytes: any bytes.
  /// - Returns: the text.
  static func lowercase(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(lowercaseDigit(byte >> 4))
      text.append(lowercaseDigit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The lower-case digits of eight words, the highest first, eight for each.
  ///
  /// - Parameter words: any words.
  /// - Returns: the text of 64 digits.
  static func lowercase(words: SIMD8<UInt32>) -> String {
    unsafe String(unsafeUninitializedCapacity: 64) { text in
      for index in 0..<8 {
        unsafe UnsafeMutableRawBufferPointer(text).storeBytes(
          of: lowercaseDigits(words[index]).bigEndian,
          toByteOffset: 8 * index,
          as: UInt64.self
        )
      }
      return 64
    }
  }

  /// The eight digits of a word, the highest in the highest byte; all are made at once.
  private static func lowercaseDigits(_ word: UInt32) -> UInt64 {
    // One nibble to a byte.
    var digits = UInt64(word)
    digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
    digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
    digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 where the nibble is above 9, whose digit is 39 further on.
    let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
  }

  /// The two upper-case digits of a byte.
  ///
  /// - Parameter byte: any byte.
  /// - Returns: the text.
  static func uppercase(_ byte: UInt8) -> String {
    lowercase([byte]).uppercased()
  }

  /// Whether a byte is an upper-case digit.
  ///
  /// - Parameter byte: an ASCII code.
  /// - Returns: whether it is one of `0-9` and `A-F`.
  static func isUppercaseDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
  }

  /// The value of an upper-case digit.
  ///
  /// - Parameter byte: an ASCII code.
  /// - Returns: 0 to 15, or `nil` when it is no upper-case digit.
  static func value(ofUppercaseDigit byte: UInt8) -> UInt8? {
    guard isUppercaseDigit(byte) else { return nil }
    return byte < 0x3A ? byte - 0x30 : byte - 0x37
  }

  /// The value of a lower-case digit.
  ///
  /// - Parameter byte: an ASCII code.
  /// - Returns: 0 to 15, or `nil` when it is none of `0-9` and `a-f`.
  static func value(ofLowercaseDigit byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// One lower-case digit.
  ///
  /// - Parameter value: its value, below 16.
  /// - Returns: the ASCII code.
  static func lowercaseDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x57 + value
  }
}
