#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Codec where Value == Data {
  /// The bytes as they are.
  public static var raw: Codec {
    Codec(identifier: .raw, encode: { Array($0) }, decode: { Data($0) })
  }
}
