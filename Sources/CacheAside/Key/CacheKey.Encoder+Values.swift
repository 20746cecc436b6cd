extension CacheKey.Encoder {
  /// Appends an integer by value: equal integers of different types are the same element.
  ///
  /// - Parameter value: the integer.
  mutating func append<T: FixedWidthInteger>(integer value: T) {
    // All bits that repeat the sign are left out, but for one.
    let sign: T = value < 0 ? ~0 : 0
    let significant = T.bitWidth - (value ^ sign).leadingZeroBitCount + 1
    let length = (significant + 7) / 8
    append(
      .integer,
      (0..<length).reversed().lazy.map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    )
  }

  /// Appends a floating-point number.
  ///
  /// - Parameter value: the number in its canonical form.
  mutating func append(floating value: CanonicalFloat) {
    append(.floating, fixed: Self.bigEndian(value.bitPattern))
  }

  /// Appends a string.
  ///
  /// - Parameters:
  ///   - tag: `string` or another kind with the same content.
  ///   - value: the string.
  mutating func append(_ tag: Tag = .string, text value: String) {
    append(tag, Normalize.nfc(value).utf8)
  }

  /// Appends elements in their order.
  ///
  /// - Parameters:
  ///   - values: the elements.
  ///   - tag: `list` or another kind with the same content.
  mutating func append<Value: CacheKeyConvertible>(
    list values: some Sequence<Value>,
    _ tag: Tag = .list
  ) {
    append(tag) { inner in
      for value in values { inner.encode(value) }
    }
  }

  /// Appends elements that have no order.
  ///
  /// - Parameter elements: the encoded elements in any order.
  mutating func append(set elements: [[UInt8]]) {
    var content: [UInt8] = []
    var previous: [UInt8]?
    for element in elements.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where element != previous {
      content += element
      previous = element
    }
    append(.set, content)
  }

  /// Appends pairs that have no order.
  ///
  /// - Parameter pairs: the encoded keys and values in any order.
  mutating func append(dictionary pairs: [(key: [UInt8], value: [UInt8])]) {
    // An element is never the beginning of another, so joining keeps the order by keys.
    let joined = pairs.map { $0.key + $0.value }
    append(
      .dictionary,
      joined.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
    )
  }

  /// Appends an element that equals no other, not even that of the same value.
  mutating func appendUnequal() {
    var generator = SystemRandomNumberGenerator()
    append(.unequal, fixed: Self.bigEndian(generator.next()) + Self.bigEndian(generator.next()))
  }

  /// The bytes of a word, highest first.
  ///
  /// - Parameter word: the word.
  /// - Returns: eight bytes.
  static func bigEndian(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
  }

  /// The bytes of one value.
  ///
  /// - Parameter value: the value.
  /// - Returns: one element.
  static func bytes(of value: some CacheKeyConvertible) -> [UInt8] {
    var encoder = CacheKey.Encoder()
    encoder.encode(value)
    return encoder.bytes
  }

  /// Whether there may be a NaN in the bytes of a value; other bytes can look like one.
  ///
  /// - Parameter bytes: one element.
  /// - Returns: whether the canonical NaN stands in them behind the tag of a number or a date.
  static func mayContainNaN(_ bytes: [UInt8]) -> Bool {
    let pattern = bigEndian(CanonicalFloat(.nan).bitPattern)
    guard bytes.count > pattern.count else { return false }
    return bytes.indices.dropLast(pattern.count).contains { index in
      (bytes[index] == Tag.floating.rawValue || bytes[index] == Tag.date.rawValue)
        && bytes[(index + 1)...].starts(with: pattern)
    }
  }
}
