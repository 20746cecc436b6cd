// Values as JSON, without loss.
//
// What: one encoder and one decoder for all types. Doubles, floats and the widest integers come back
// bit for bit; dates are the number that `Date` keeps, never text; NaN and the infinities are strings
// that no other value is likely to be; keys are sorted, so that equal values give equal bytes; nested
// optionals, relative URLs and decimals have exact forms (`Exact`), in types that may hold any.
// Called by codecs, outside locks.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum JSONCodec {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity,
      negativeInfinity: minusInfinity,
      nan: notANumber
    )
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity,
      negativeInfinity: minusInfinity,
      nan: notANumber
    )
    return decoder
  }()

  private static let infinity = "%inf"
  private static let minusInfinity = "%-inf"
  private static let notANumber = "%nan"

  static func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    if ExactNeed.of(Value.self) { return try Array(encoder.encode(Exact(value))) }
    return try Array(encoder.encode(value))
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    if ExactNeed.of(type) { return try decoder.decode(Exact<Value>.self, from: Data(bytes)).value }
    return try decoder.decode(type, from: Data(bytes))
  }
}
