#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Codec {
  /// The codec for a type that was given none, or `nil` when the type is not `Codable`.
  ///
  /// Bytes, `Data` and strings are raw, all else is JSON. An optional is coded as what it wraps:
  /// nil needs no bytes, since the record says that no value is present.
  ///
  /// - Parameter type: the type of the values.
  /// - Returns: the codec, found at run time.
  static func automatic(for type: Value.Type = Value.self) -> Codec? {
    rawCodec() ?? automaticJSON()
  }

  /// A codec for optionals: nil is told apart before the codec is asked.
  func optional() -> Codec<Value?> {
    Codec<Value?>(
      identifier: identifier,
      schema: schema,
      encode: { [encode] value in
        guard let value else { throw MistypedValue() }
        return try encode(value)
      },
      decode: { [decode] in try decode($0) }
    )
  }

  private static func rawCodec() -> Codec? {
    let bytes = Codec<[UInt8]>.raw
    let text = Codec<String>.raw
    let data = Codec<Data>.raw
    let candidates: [Any] = [
      bytes, bytes.optional(), text, text.optional(), data, data.optional(),
    ]
    return candidates.lazy.compactMap { $0 as? Codec }.first
  }
}
