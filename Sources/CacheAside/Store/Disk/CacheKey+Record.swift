extension CacheKey {
  /// The bytes that a record keeps and compares: the qualified text in UTF-8.
  var recordBytes: [UInt8] { Array(qualified.utf8) }

  /// The key of a record's bytes, or `nil` when they are no key.
  init?(recordBytes bytes: [UInt8], in namespace: Namespace?) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let qualifier = namespace?.description ?? text.split(separator: ":").first.map(String.init)
    guard let qualifier, text.hasPrefix(qualifier + ":") else {
      self.init(text: text, namespace: nil)
      return
    }
    self.init(
      text: String(text.dropFirst(qualifier.count + 1)),
      namespace: namespace ?? Namespace(qualifier)
    )
  }

  /// A file name for the key: lower-case hex of a digest.
  var recordName: String {
    let bytes = recordBytes
    return Self.hex(Checksum.of(bytes)) + Self.hex(Checksum.of(bytes, seed: 0x9E37_79B9))
  }

  private static func hex(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Namespace {
  /// With what the record bytes of every key of the namespace begin.
  var recordPrefix: [UInt8] { Array(description.utf8) + [UInt8(ascii: ":")] }
}
