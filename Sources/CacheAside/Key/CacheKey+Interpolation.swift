// Template keys: literal characters stay (`%` becomes `%25`), interpolated parts are escaped.

extension CacheKey: ExpressibleByStringInterpolation {
  /// Makes a key of a literal without interpolations.
  ///
  /// - Parameter value: the literal; `%` in it becomes `%25`.
  @inlinable
  public init(stringLiteral value: String) {
    var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    interpolation.appendLiteral(value)
    self.init(stringInterpolation: interpolation)
  }

  /// Makes a key of a literal with interpolations.
  ///
  /// - Parameter stringInterpolation: the escaped text.
  @inlinable @inline(__always)
  public init(stringInterpolation: StringInterpolation) {
    if let words = stringInterpolation.buffer.shortText {
      self.init(words)
    } else {
      self = stringInterpolation.longKey
    }
  }

  /// Collects the text of a key while its literal is evaluated.
  ///
  /// Integers, `Bool`, strings, `UUID` (lower case), `URL` and raw values of those print as text
  /// with `%`, `/`, `:` and control characters escaped; `nil` is `%-`; every other
  /// ``CacheKeyConvertible`` type is `%~` and the base64url form of its encoded bytes.
  @frozen
  public struct StringInterpolation: StringInterpolationProtocol {
    /// The text, as long as it fits and is plain.
    @usableFromInline var buffer = TextBuffer()
    /// The whole text from then on.
    @usableFromInline var text: String?
    private var isASCII = true

    /// Starts an empty text.
    ///
    /// - Parameters:
    ///   - literalCapacity: the length of all literal segments in bytes.
    ///   - interpolationCount: the number of interpolations.
    @inlinable
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// The key of a text that is long or was not plain.
    @usableFromInline var longKey: CacheKey {
      @inline(never) get {
        guard let text else { return buffer.longKey }
        return normalized(text)
      }
    }

    private func normalized(_ text: String) -> CacheKey {
      CacheKey(text: isASCII ? text : Normalize.nfc(text), namespace: nil)
    }

    /// Appends a literal segment.
    ///
    /// - Parameter literal: the characters; `%` becomes `%25`.
    @inlinable @inline(__always)
    public mutating func appendLiteral(_ literal: String) {
      // An empty segment ends many keys.
      if !literal.isEmpty { appendSegment(literal) }
    }

    @usableFromInline
    mutating func appendSegment(_ literal: String) {
      if buffer.append(literal, isLiteral: true) { return }
      appendAnew(literal, .literal)
    }

    /// Appends an integer in decimal.
    ///
    /// - Parameter value: the integer.
    @inlinable
    public mutating func appendInterpolation<T: FixedWidthInteger & CacheKeyConvertible>(
      _ value: T
    ) {
      if T.bitWidth <= 64 {
        append(decimal: UInt64(truncatingIfNeeded: value.magnitude), isNegative: value < 0)
      } else {
        appendPlain(value.description)
      }
    }

    /// Appends an integer in decimal, or `%-`.
    ///
    /// - Parameter value: the integer, or `nil`.
    @inlinable
    public mutating func appendInterpolation<T: FixedWidthInteger & CacheKeyConvertible>(
      _ value: T?
    ) {
      if let value { appendInterpolation(value) } else { appendNothing() }
    }

    /// Appends `true` or `false`.
    ///
    /// - Parameter value: the truth value.
    @inlinable
    public mutating func appendInterpolation(_ value: Bool) {
      appendLiteral(value ? "true" : "false")
    }

    /// Appends a string, escaped.
    ///
    /// - Parameter value: the string.
    public mutating func appendInterpolation(_ value: String) {
      if buffer.append(value, isLiteral: false) { return }
      appendAnew(value, .part)
    }

    /// Appends a string, escaped, or `%-`.
    ///
    /// - Parameter value: the string, or `nil`.
    @inlinable
    public mutating func appendInterpolation(_ value: String?) {
      if let value { appendInterpolation(value) } else { appendNothing() }
    }

    /// Appends a part of a string, escaped.
    ///
    /// - Parameter value: the part.
    @inlinable
    public mutating func appendInterpolation(_ value: Substring) {
      appendInterpolation(String(value))
    }

    /// Appends any value that can be part of a key.
    ///
    /// - Parameter value: the value.
    @inlinable
    public mutating func appendInterpolation<T: CacheKeyConvertible>(_ value: T) {
      // Folds away where the type is known.
      if T.self == String.self, let string = value as? String {
        appendInterpolation(string)
      } else if T.self == Int.self, let integer = value as? Int {
        appendInterpolation(integer)
      } else {
        appendEncoded(value)
      }
    }

    /// Appends any value that can be part of a key, or `%-`.
    ///
    /// - Parameter value: the value, or `nil`.
    @inlinable
    public mutating func appendInterpolation<T: CacheKeyConvertible>(_ value: T?) {
      appendEncoded(value)
    }

    /// Refuses a type that cannot be part of a key.
    ///
    /// - Parameter value: a value of that type.
    @available(
      *,
      unavailable,
      message:
        "conform the type to CacheKeyConvertible, or interpolate the properties that identify it"
    )
    public mutating func appendInterpolation<T>(_ value: T) {
      appendNothing()
    }

    @usableFromInline
    mutating func append(decimal magnitude: UInt64, isNegative: Bool) {
      if buffer.append(decimal: magnitude, isNegative: isNegative) { return }
      appendPlain((isNegative ? "-" : "") + magnitude.description)
    }

    /// Appends what stands for `nil`.
    @usableFromInline
    mutating func appendNothing() { appendPlain("%-") }

    /// Appends ASCII as it is.
    @usableFromInline @inline(never)
    mutating func appendPlain(_ plain: String) {
      let whole = takeText() + plain
      text = whole
    }

    @inline(never)
    private mutating func appendAnew(_ string: String, _ set: EscapeSet) {
      var whole = takeText()
      if CacheKey.isPlain(string, set) {
        whole += string
      } else {
        CacheKey.appendEscaped(string, set, to: &whole)
        isASCII = isASCII && whole.utf8.allSatisfy { $0 < 0x80 }
      }
      text = whole
    }

    @usableFromInline @inline(never)
    mutating func appendEncoded(_ value: some CacheKeyConvertible) {
      var encoder = Encoder()
      encoder.encode(value)
      var whole = takeText()
      KeyPart.append(encoder.bytes, to: &whole)
      text = whole
      isASCII = false
    }

    /// What was appended so far, to be put back with more.
    private mutating func takeText() -> String {
      defer { text = nil }
      return text ?? buffer.close()
    }
  }
}
