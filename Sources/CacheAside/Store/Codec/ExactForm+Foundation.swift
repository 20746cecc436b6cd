#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Coders treat these in ways of their own, which lose nothing.

extension Data: PlainValue {}
extension Date: PlainValue {}
extension UUID: PlainValue {}

/// A relative URL is a list of its own part and its base; JSON coders write the absolute string.
extension URL: ExactForm {
  func encodeExactly(to encoder: any Encoder) throws {
    guard let base = baseURL else {
      var container = encoder.singleValueContainer()
      return try container.encode(self)
    }
    guard URL(string: relativeString, relativeTo: base) == self else { throw LossyValue(URL.self) }
    var container = encoder.unkeyedContainer()
    try container.encode(relativeString)
    try container.encode(Exact(base))
  }

  static func decodeExactly(from decoder: any Decoder) throws -> URL {
    guard var container = try? decoder.unkeyedContainer() else {
      return try decoder.singleValueContainer().decode(URL.self)
    }
    let text = try container.decode(String.self)
    let base = try container.decode(Exact<URL>.self).value
    guard let url = URL(string: text, relativeTo: base) else { throw LossyValue(URL.self) }
    return url
  }
}

/// A decimal that is not a number is a string; JSON coders write it as none that they can read.
extension Decimal: ExactForm {
  private static let notANumber = "%nan"

  func encodeExactly(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isNaN { return try container.encode(Self.notANumber) }
    try container.encode(self)
  }

  static func decodeExactly(from decoder: any Decoder) throws -> Decimal {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self), text == notANumber { return .nan }
    return try container.decode(Decimal.self)
  }
}
