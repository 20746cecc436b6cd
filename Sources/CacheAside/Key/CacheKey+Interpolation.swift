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
  @inlinable
  public init(stringInterpolation: StringInterpolation) {
    self.init(
      text: stringInterpolation.isASCII
        ? stringInterpolation.text : Normalize.nfc(stringInterpolation.text),
      namespace: nil
    )
  }

  /// Collects the text of a key while its literal is evaluated.
  ///
  /// Integers, `Bool`, strings, `UUID` (lower case), `URL` and raw values of those print as text
  /// with `%`, `/`, `:` and control characters escaped; `nil` is `%-`; every other
  /// ``CacheKeyConvertible`` type is `%~` and the base64url form of its encoded bytes.
  @frozen
  public struct StringInterpolation: StringInterpolationProtocol {
    @usableFromInline var text: String
    @usableFromInline var isASCII = true

    /// Starts an empty text.
    ///
    /// - Parameters:
    ///   - literalCapacity: the length of all literal segments in bytes.
    ///   - interpolationCount: the number of interpolations.
    @inlinable
    public init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      // A text of at most 15 bytes needs no memory of its own, so little is not reserved.
      if literalCapacity > 15 { text.reserveCapacity(literalCapacity + interpolationCount * 16) }
    }

    /// Appends a literal segment.
    ///
    /// - Parameter literal: the characters; `%` becomes `%25`.
    @inlinable
    public mutating func appendLiteral(_ literal: String) {
      if CacheKey.isPlain(literal, .literal) {
        text += literal
      } else {
        appendEscaped(literal, .literal)
      }
    }

    /// Appends an integer in decimal.
    ///
    /// - Parameter value: the integer.
    @inlinable
    public mutating func appendInterpolation<T: FixedWidthInteger & CacheKeyConvertible>(
      _ value: T
    ) {
      text += value.description
    }

    /// Appends an integer in decimal, or `%-`.
    ///
    /// - Parameter value: the integer, or `nil`.
    @inlinable
    public mutating func appendInterpolation<T: FixedWidthInteger & CacheKeyConvertible>(
      _ value: T?
    ) {
      if let value { text += value.description } else { text += "%-" }
    }

    /// Appends `true` or `false`.
    ///
    /// - Parameter value: the truth value.
    @inlinable
    public mutating func appendInterpolation(_ value: Bool) {
      text += value ? "true" : "false"
    }

    /// Appends a string, escaped.
    ///
    /// - Parameter value: the string.
    @inlinable
    public mutating func appendInterpolation(_ value: String) {
      if CacheKey.isPlain(value, .part) { text += value } else { appendEscaped(value, .part) }
    }

    /// Appends a string, escaped, or `%-`.
    ///
    /// - Parameter value: the string, or `nil`.
    @inlinable
    public mutating func appendInterpolation(_ value: String?) {
      if let value { appendInterpolation(value) } else { text += "%-" }
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
      text += "%-"
    }

    @usableFromInline @inline(never)
    mutating func appendEscaped(_ string: String, _ set: EscapeSet) {
      CacheKey.appendEscaped(string, set, to: &text)
      isASCII = isASCII && text.utf8.allSatisfy { $0 < 0x80 }
    }

    @usableFromInline @inline(never)
    mutating func appendEncoded(_ value: some CacheKeyConvertible) {
      var encoder = Encoder()
      encoder.encode(value)
      KeyPart.append(encoder.bytes, to: &text)
      isASCII = false
    }
  }
}
