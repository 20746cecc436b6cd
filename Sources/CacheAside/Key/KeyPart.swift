// How an encoded value prints inside a key's text.
//
// Integers, `Bool`, `UUID`, strings and `URL` are text, `nil` is `%-`, everything else is `%~` and
// the base64url form of the bytes. It goes by the encoded bytes, not by the type, so that a raw
// value, an optional and a type that encodes one value print as that value does.
//
// In a template the parts carry no type: `1` and `"1"` print alike, as the reader expects. In the
// list of an argument key they do: text has its type before a `'`, `'swift` for a string and
// `url'…` for a URL; integers, `true`, `false` and UUIDs stand bare.

/// The text of encoded values.
enum KeyPart {
  /// Appends one encoded value to a template key.
  ///
  /// - Parameters:
  ///   - element: the encoded value.
  ///   - text: where to.
  static func append(_ element: [UInt8], to text: inout String) {
    switch CacheKey.Encoder.Tag(rawValue: element[0]) {
    case .string, .url:
      CacheKey.append(content(of: element), escaping: .part, to: &text)
    case .key where content(of: element).hasPrefix(":"):  // no namespace
      CacheKey.append(String(content(of: element).dropFirst()), escaping: .part, to: &text)
    default:
      appendBare(element, to: &text)
    }
  }

  /// Appends one encoded value to the list of an argument key.
  ///
  /// - Parameters:
  ///   - element: the encoded value.
  ///   - text: where to.
  static func append(argument element: [UInt8], to text: inout String) {
    switch CacheKey.Encoder.Tag(rawValue: element[0]) {
    case .string:
      text += "'"
      CacheKey.append(content(of: element), escaping: .argument, to: &text)
    case .url:
      text += "url'"
      CacheKey.append(content(of: element), escaping: .argument, to: &text)
    default:
      appendBare(element, to: &text)
    }
  }

  /// The text of a UUID.
  ///
  /// - Parameter bytes: the sixteen bytes.
  /// - Returns: 36 characters in lower case.
  static func uuid(_ bytes: [UInt8]) -> String {
    let dashes = [4, 6, 8, 10]
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if dashes.contains(index) { text.append(0x2D) }
      text.append(Hex.lowercaseDigit(byte >> 4))
      text.append(Hex.lowercaseDigit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func appendBare(_ element: [UInt8], to text: inout String) {
    switch CacheKey.Encoder.Tag(rawValue: element[0]) {
    case .nothing: text += "%-"
    case .bool: text += element[1] == 1 ? "true" : "false"
    case .uuid: text += uuid(Array(element.dropFirst()))
    case .integer: text += decimal(Array(withoutLength(element)))
    default: text += "%~" + Base64URL.encode(element)
    }
  }

  /// The content of an element behind its tag and length.
  private static func withoutLength(_ element: [UInt8]) -> ArraySlice<UInt8> {
    element.dropFirst().drop { $0 >= 0x80 }.dropFirst()
  }

  private static func content(of element: [UInt8]) -> String {
    String(decoding: withoutLength(element), as: UTF8.self)
  }

  /// The decimal form of a two's complement number, highest byte first.
  private static func decimal(_ bytes: [UInt8]) -> String {
    if bytes.count <= 8 {
      let negative = bytes[0] >= 0x80
      return bytes.reduce(negative ? -1 : 0 as Int64) { $0 << 8 | Int64($1) }.description
    }
    var magnitude = bytes
    let isNegative = bytes[0] >= 0x80
    if isNegative {
      var carry: UInt16 = 1
      for index in magnitude.indices.reversed() {
        carry += UInt16(~magnitude[index])
        magnitude[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
    }
    var digits: [UInt8] = []
    while magnitude.contains(where: { $0 != 0 }) {
      var remainder: UInt16 = 0
      for index in magnitude.indices {
        let value = remainder << 8 | UInt16(magnitude[index])
        magnitude[index] = UInt8(value / 10)
        remainder = value % 10
      }
      digits.append(0x30 + UInt8(remainder))
    }
    return (isNegative ? "-" : "") + String(decoding: digits.reversed(), as: UTF8.self)
  }
}
