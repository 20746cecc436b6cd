// Argument keys: `%name(part,part)`.
//
// The `%` tells them from templates, where it is always followed by `-`, `~` or two upper-case
// hexadecimal digits. A name that would read as one of these has its first character escaped.

/// A key that stands for several arguments of a function, or for none.
protocol ArgumentList {
  /// The encoded arguments in their order.
  func encodeArguments() -> [[UInt8]]
}

extension CacheKey {
  /// Makes the key of a named function and its arguments.
  ///
  /// It prints as `%name(part,part)`: integers, `true`, `false` and UUIDs as they are, strings
  /// behind a `'`, URLs behind `url'`, `nil` as `%-`, all others as `%~` and base64url.
  ///
  /// - Parameters:
  ///   - name: the function's name in the cache.
  ///   - argument: the arguments in their order.
  public init<each Argument: CacheKeyConvertible>(
    name: String,
    arguments argument: repeat each Argument
  ) {
    self.init(name: name, elements: ArgumentPack(repeat each argument).encodeArguments())
  }

  /// Makes the key of a named function and one key of its memory table.
  ///
  /// - Parameters:
  ///   - name: the function's name in the cache.
  ///   - key: its argument, or an `ArgumentPair` or `ArgumentPack` of its arguments.
  @usableFromInline
  init(name: String, key: some CacheKeyConvertible) {
    let list = key as? any ArgumentList
    self.init(name: name, elements: list?.encodeArguments() ?? [Encoder.bytes(of: key)])
  }

  /// Makes the key of a named function and its encoded arguments.
  ///
  /// - Parameters:
  ///   - name: the function's name.
  ///   - elements: the encoded arguments.
  private init(name: String, elements: [[UInt8]]) {
    var text = Self.argumentPrefix(name: name)
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      KeyPart.append(argument: element, to: &text)
    }
    text += ")"
    self.init(text: Normalize.nfc(text), namespace: nil)
  }

  /// With what the text of a named function's keys begins: `%name(`.
  ///
  /// - Parameter name: the function's name.
  /// - Returns: the prefix, in normal form C.
  static func argumentPrefix(name: String) -> String {
    let name = Normalize.nfc(name)
    var text = "%"
    var rest = Array(name.utf8)[...]
    if readsAsEscape(rest), let first = rest.popFirst() { text += "%" + Hex.uppercase(first) }
    append(String(decoding: rest, as: UTF8.self), escaping: .argument, to: &text)
    return text + "("
  }

  /// With what the text begins if it is the key of a named function: `%name(`.
  ///
  /// - Complexity: O(1) for the keys of templates that do not begin with an escape.
  var functionPrefix: String? {
    unsafe withText { bytes in
      guard unsafe bytes.first == 0x25, let open = unsafe bytes.firstIndex(of: 0x28) else {
        return nil
      }
      return unsafe String(decoding: bytes[...open], as: UTF8.self)
    }
  }

  /// Whether a name behind a `%` would read as an escape of a template.
  private static func readsAsEscape(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first else { return false }
    return first == 0x2D || first == 0x7E || name.prefix(2).allSatisfy(Hex.isUppercaseDigit)
  }
}
