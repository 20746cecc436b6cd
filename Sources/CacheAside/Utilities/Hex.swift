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

  /// One lower-case digit.
  ///
  /// - Parameter value: its value, below 16.
  /// - Returns: the ASCII code.
  static func lowercaseDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x57 + value
  }
}
