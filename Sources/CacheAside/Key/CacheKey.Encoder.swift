// The canonical bytes of a value: equal values give equal bytes, different values different ones,
// in every process and on every platform.
//
// The bytes are a sequence of elements. An element is a tag (`CacheKey.Encoder.Tag`) and a content
// whose end is known from the tag or from a length before it, so that no two sequences of elements
// join to the same bytes. Integers go by value whatever their type; strings are NFC, then UTF-8;
// floating point is a canonical bit pattern; sets and dictionaries are ordered by encoded bytes.
// A type that encodes several elements is enclosed in a `composite`, so that every value is one
// element. Golden vectors in the tests pin the format; changing it loses what is on disk.
//
// Called where a key is derived from arguments that are not text.

extension CacheKey {
  /// Collects the canonical bytes of a value.
  ///
  /// A ``CacheKeyConvertible`` type encodes the properties that identify it, always in the same
  /// order:
  ///
  /// ```swift
  /// func encode(into encoder: inout CacheKey.Encoder) {
  ///   encoder.encode(tenant)
  ///   encoder.encode(number)
  /// }
  /// ```
  public struct Encoder: Sendable {
    /// The elements so far.
    var bytes: [UInt8] = []
    /// How many elements were written since the innermost composite began.
    private var count = 0
    /// Whether the running `encode(into:)` stands for the one element that it wrote.
    private var isTransparent = false

    init() {}

    /// Encodes one value.
    ///
    /// - Parameter value: a part of what identifies the value that is being encoded.
    public mutating func encode(_ value: some CacheKeyConvertible) {
      let outer = count
      let start = bytes.count
      count = 0
      isTransparent = false
      value.encode(into: &self)
      // One element stands for itself, unless it is a composite: a type that now writes one
      // composite and now several elements would be ambiguous.
      if count != 1 || (bytes[start] == Tag.composite.rawValue && !isTransparent) {
        enclose(from: start, in: .composite)
      }
      isTransparent = false
      count = outer + 1
    }

    /// Encodes bytes.
    ///
    /// - Parameter bytes: the bytes; `Data` with the same bytes is encoded equally.
    public mutating func encode(bytes: some Collection<UInt8>) {
      append(.bytes, bytes)
    }

    /// Appends one element of known length or none.
    ///
    /// - Parameters:
    ///   - tag: its kind.
    ///   - content: a content whose length the tag gives.
    mutating func append(_ tag: Tag, fixed content: some Collection<UInt8>) {
      bytes.append(tag.rawValue)
      bytes.append(contentsOf: content)
      count += 1
    }

    /// Appends one element with its length before the content.
    ///
    /// - Parameters:
    ///   - tag: its kind.
    ///   - content: the content.
    mutating func append(_ tag: Tag, _ content: some Collection<UInt8>) {
      bytes.append(tag.rawValue)
      append(length: content.count)
      bytes.append(contentsOf: content)
      count += 1
    }

    /// Appends what is one whole element already.
    ///
    /// - Parameter element: its bytes.
    mutating func append(element: [UInt8]) {
      bytes.append(contentsOf: element)
      count += 1
      isTransparent = true
    }

    /// Appends an optional: nothing but the value, or `nil`.
    ///
    /// A value that is encoded as `nil` itself, or would be taken for one, gets a mark, so that
    /// the levels of nested optionals differ.
    ///
    /// - Parameter value: the optional.
    mutating func append(optional value: (some CacheKeyConvertible)?) {
      append(element: Self.optional(value.map { Self.bytes(of: $0) }))
    }

    /// The element of an optional.
    ///
    /// - Parameter element: the element of its value, or `nil`.
    /// - Returns: one element.
    static func optional(_ element: [UInt8]?) -> [UInt8] {
      guard let element else { return [Tag.nothing.rawValue] }
      let isMarked = element[0] == Tag.nothing.rawValue || element[0] == Tag.some.rawValue
      return isMarked ? [Tag.some.rawValue] + element : element
    }

    /// Appends one element around those that a closure appends.
    ///
    /// - Parameters:
    ///   - tag: its kind.
    ///   - body: appends the content.
    mutating func append(_ tag: Tag, around body: (inout Encoder) -> Void) {
      let outer = count
      let start = bytes.count
      body(&self)
      enclose(from: start, in: tag)
      isTransparent = false
      count = outer + 1
    }

    /// Puts the tag and the length before everything from a position on.
    private mutating func enclose(from start: Int, in tag: Tag) {
      var header = Encoder()
      header.append(length: bytes.count - start)
      bytes.insert(tag.rawValue, at: start)
      bytes.insert(contentsOf: header.bytes, at: start + 1)
    }

    /// Appends a length: seven bits a byte, the lowest first, the high bit set on all but the last.
    private mutating func append(length: Int) {
      var rest = UInt64(length)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
  }
}
