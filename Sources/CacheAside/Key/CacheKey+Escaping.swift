// How strings become parts of a key's text.
//
// `%` and two upper-case hexadecimal digits stand for one UTF-8 byte. What is escaped depends on
// the place (`EscapeSet`). A combining mark at the start of a part or behind an escape is escaped
// too: normalising the whole text would otherwise join it with what stands before it (`%0A` and an
// acute accent would become `%0Á`). So a part's text depends on nothing but the part, up to
// canonical equivalence, and different parts have different texts.

extension CacheKey {
  /// The ASCII characters that are escaped at some place.
  @frozen @usableFromInline
  struct EscapeSet: Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    /// - Parameters:
    ///   - characters: the characters to escape besides controls.
    ///   - controls: whether control characters are escaped.
    init(_ characters: String, controls: Bool) {
      var low: UInt64 = controls ? 0xFFFF_FFFF : 0
      var high: UInt64 = controls ? 1 << 63 : 0
      for byte in characters.utf8 {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
      }
      self.low = low
      self.high = high
    }

    @inlinable
    init(low: UInt64, high: UInt64) {
      self.low = low
      self.high = high
    }

    /// Whether an ASCII character is escaped.
    @inlinable @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
      byte < 64 ? low & (1 << UInt64(byte)) != 0 : high & (1 << UInt64(byte & 63)) != 0
    }

    /// Literal characters of a template: `%` only.
    @inlinable static var literal: EscapeSet { EscapeSet(low: UInt64(1) << 0x25, high: 0) }

    /// Interpolated parts: `%`, `/`, `:` and controls.
    @inlinable static var part: EscapeSet {
      EscapeSet(low: 0xFFFF_FFFF | 1 << 0x25 | 1 << 0x2F | 1 << 0x3A, high: 1 << 63)
    }

    /// Names and parts of argument keys: also their separators and the type tag.
    static let argument = EscapeSet("%/:,()'", controls: true)

    /// Names in namespaces: also their separators and the pattern characters of backends.
    static let namespace = EscapeSet("%/:@;=*?[]{}\\^", controls: true)
  }

  /// Whether a string can be appended as it is: ASCII, with nothing to escape.
  ///
  /// - Parameters:
  ///   - string: the string.
  ///   - set: what is escaped.
  /// - Returns: whether it is plain.
  @inlinable @inline(__always)
  static func isPlain(_ string: String, _ set: EscapeSet) -> Bool {
    unsafe string.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bytes.allSatisfy { $0 < 0x80 && !set.contains($0) }
    } ?? false
  }

  /// Appends a part with what needs it escaped.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - set: what is escaped.
  ///   - text: where to; it has to be normalised as a whole at the end unless it is ASCII.
  @usableFromInline
  static func append(_ part: String, escaping set: EscapeSet, to text: inout String) {
    if isPlain(part, set) { text += part } else { appendEscaped(part, set, to: &text) }
  }

  /// Appends a string that needs escaping or is not ASCII.
  ///
  /// - Parameters:
  ///   - string: the string.
  ///   - set: what is escaped.
  ///   - text: where to.
  @usableFromInline @inline(never)
  static func appendEscaped(_ string: String, _ set: EscapeSet, to text: inout String) {
    let escapesControls = set.contains(0)
    // A literal keeps its characters; only behind something else may a mark have to be escaped.
    var isBehindEscape = escapesControls || !text.isEmpty
    var bytes: [UInt8] = []
    bytes.reserveCapacity(string.utf8.count * 2)
    for scalar in Normalize.nfc(string).unicodeScalars {
      let isEscaped: Bool
      switch scalar.value {
      case ..<0x80: isEscaped = set.contains(UInt8(scalar.value))
      case ..<0xA0: isEscaped = escapesControls
      case ..<0x300: isEscaped = false
      default:
        isEscaped =
          isBehindEscape && scalar.properties.canonicalCombiningClass != .notReordered
      }
      isBehindEscape = isEscaped
      guard isEscaped else {
        bytes.append(contentsOf: String(scalar).utf8)
        continue
      }
      for byte in String(scalar).utf8 { bytes.append(contentsOf: "%\(Hex.uppercase(byte))".utf8) }
    }
    text += String(decoding: bytes, as: UTF8.self)
  }

  /// Undoes the escaping of one part.
  ///
  /// - Parameter part: the escaped part.
  /// - Returns: the string, or `nil` when an escape is malformed or the bytes are not UTF-8.
  static func unescaped(_ part: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hex.value(ofUppercaseDigit:)),
        let low = rest.popFirst().flatMap(Hex.value(ofUppercaseDigit:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
