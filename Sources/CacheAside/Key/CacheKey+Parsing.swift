// How keys are read back from what is stored and from what people type.
//
// In a text, `%` is followed by two upper-case hexadecimal digits, `-` or `~`. At the beginning,
// anything else behind it is the name of an argument key: up to the first `(`, and then the only
// `)` ends the text.

extension CacheKey {
  /// Reads a key from the qualified form, or fails when it is not that of any key.
  ///
  /// - Parameter qualified: what ``qualified`` gave.
  public init?(qualified: String) {
    guard let colon = qualified.utf8.firstIndex(of: 0x3A) else { return nil }
    let text = Normalize.nfc(String(qualified[qualified.utf8.index(after: colon)...]))
    guard Self.malformedOffset(text) == nil else { return nil }
    guard colon != qualified.startIndex else {
      self.init(text: text, namespace: nil)
      return
    }
    guard let namespace = Namespace(description: String(qualified[..<colon])) else { return nil }
    self.init(text: text, namespace: namespace)
  }

  /// Reads a key from the bytes that a store wrote, or fails when they are not those of any key.
  ///
  /// - Parameter bytes: what ``bytes`` gave.
  public init?(bytes: some Sequence<UInt8>) {
    guard let qualified = String(validating: Array(bytes), as: UTF8.self) else { return nil }
    self.init(qualified: qualified)
  }

  /// Reads a key without a namespace from its text, or fails when an escape in it is malformed.
  ///
  /// - Parameter text: what ``text`` gave.
  init?(text: String) {
    let text = Normalize.nfc(text)
    guard Self.malformedOffset(text) == nil else { return nil }
    self.init(text: text, namespace: nil)
  }

  /// Where a text stops being the text of a key.
  ///
  /// - Parameter text: the text.
  /// - Returns: the offset in bytes of the `%` or parenthesis that is wrong, or `nil`.
  static func malformedOffset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    var index = 0
    var isArgumentKey = false
    while index < bytes.count {
      if bytes[index] == 0x25 {
        if isEscape(bytes, at: index) {
          index += 1
        } else if index == 0 {
          isArgumentKey = true
        } else {
          return index
        }
      }
      index += 1
    }
    guard isArgumentKey else { return nil }
    guard let open = bytes.firstIndex(of: 0x28) else { return 0 }
    guard let close = bytes.firstIndex(of: 0x29), close == bytes.count - 1, close > open,
      bytes.lastIndex(of: 0x28) == open
    else { return open }
    return nil
  }

  private static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
    let rest = bytes[(index + 1)...]
    guard let first = rest.first else { return false }
    return first == 0x2D || first == 0x7E
      || (rest.count >= 2 && rest.prefix(2).allSatisfy(Hex.isUppercaseDigit))
  }
}
