extension Codec where Value == [UInt8] {
  /// The bytes as they are.
  public static var raw: Codec {
    Codec(identifier: .raw, encode: { $0 }, decode: { $0 })
  }
}

extension Codec where Value == String {
  /// The string's UTF-8.
  public static var raw: Codec {
    Codec(
      identifier: .raw,
      encode: { Array($0.utf8) },
      decode: { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { throw NotUTF8() }
        return text
      }
    )
  }
}

/// Bytes that should be a string are not UTF-8.
private struct NotUTF8: Error, CustomStringConvertible {
  var description: String { "the bytes are not UTF-8" }
}
