// The fields as values. Numbers are little-endian; a field of another length counts as absent.

extension CacheMetadata {
  /// The labels of the entry.
  public var tags: [Tag] {
    get { self[.tags].map(Self.tags(of:)) ?? [] }
    set { self[.tags] = newValue.isEmpty ? nil : Self.bytes(of: newValue) }
  }

  /// What the producer gave to ask the source whether the value has changed.
  public var validator: String? {
    get { self[.validator].map { String(decoding: $0, as: UTF8.self) } }
    set { self[.validator] = newValue.map { Array($0.utf8) } }
  }

  /// The end of stale-while-revalidate, in microseconds since 1970, UTC; `nil` without a window.
  ///
  /// Where freshness has no end, the length of the window in microseconds.
  public var staleWhileRevalidateEnd: Int64? {
    get { number(.staleWhileRevalidateEnd) }
    set { setNumber(newValue, .staleWhileRevalidateEnd) }
  }

  /// The end of stale-if-error, in microseconds since 1970, UTC; `nil` without a window.
  ///
  /// Where freshness has no end, the length of the window in microseconds.
  public var staleIfErrorEnd: Int64? {
    get { number(.staleIfErrorEnd) }
    set { setNumber(newValue, .staleIfErrorEnd) }
  }

  /// How long the load took, in nanoseconds; `nil` if nobody measured.
  public var loadTime: Int64? {
    get { number(.loadTime) }
    set { setNumber(newValue, .loadTime) }
  }

  /// How long the entry stays fresh after a read, in nanoseconds; `nil` if reads change nothing.
  public var idleInterval: Int64? {
    get { number(.idleInterval) }
    set { setNumber(newValue, .idleInterval) }
  }

  func number(_ field: Field) -> Int64? {
    guard let bytes = self[field], bytes.count == 8 else { return nil }
    return Int64(
      bitPattern: bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    )
  }

  mutating func setNumber(_ number: Int64?, _ field: Field) {
    self[field] = number.map { number in
      var bytes: [UInt8] = []
      bytes.append(littleEndian: UInt64(bitPattern: number))
      return bytes
    }
  }

  /// Each tag as the length of its UTF-8, four bytes, and the text.
  private static func bytes(of tags: [Tag]) -> [UInt8] {
    var bytes: [UInt8] = []
    for tag in tags {
      let text = Array(tag.description.utf8)
      bytes.append(littleEndian: UInt32(clamping: text.count))
      bytes += text
    }
    return bytes
  }

  private static func tags(of bytes: [UInt8]) -> [Tag] {
    var tags: [Tag] = []
    var rest = bytes[...]
    while rest.count >= 4 {
      let number = rest.prefix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      rest = rest.dropFirst(4)
      guard let length = Int(exactly: number), length <= rest.count else { return tags }
      tags.append(Tag(String(decoding: rest.prefix(length), as: UTF8.self)))
      rest = rest.dropFirst(length)
    }
    return tags
  }
}
