// Unicode normalisation form C, so that canonically equal strings have the same bytes.
//
// ASCII and the ranges in `isStable` are returned untouched. For the rest the platforms differ in
// who normalises: on Apple systems Foundation, elsewhere the standard library. Golden vectors in
// the tests pin both. Called when a key's text or bytes are built.
#if canImport(Darwin)
import Foundation
#else
@_spi(_Unicode) import Swift
#endif

/// Unicode normalisation.
@usableFromInline
enum Normalize {
  /// The form C of a string, in contiguous UTF-8.
  ///
  /// - Parameter string: any string.
  /// - Returns: the canonically equal string in form C.
  /// - Complexity: O(n).
  @usableFromInline
  static func nfc(_ string: String) -> String {
    var string = string
    string.makeContiguousUTF8()
    guard !isStable(string) else { return string }
    #if canImport(Darwin)
    var result = string.precomposedStringWithCanonicalMapping
    result.makeContiguousUTF8()
    return result
    #else
    var result = String.UnicodeScalarView()
    for scalar in string._nfc { result.append(scalar) }
    return String(result)
    #endif
  }

  /// Whether a string consists only of scalars that normalisation never changes or joins.
  ///
  /// - Parameter string: any string.
  /// - Returns: `false` when the string may have to be normalised.
  static func isStable(_ string: String) -> Bool {
    string.utf8.allSatisfy { $0 < 0x80 } || string.unicodeScalars.allSatisfy(isStable)
  }

  /// Scalars of combining class 0 with the property `NFC_Quick_Check=Yes` that take part in no
  /// composition as the second element: ASCII and Latin, Cyrillic, kana, Han ideographs, Hangul
  /// syllables and emoji.
  private static func isStable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300, 0x400..<0x483, 0x3041..<0x3097, 0x30A1..<0x30FB, 0x4E00..<0xA000,
      0xAC00..<0xD7A4, 0x1F300..<0x1FB00:
      true
    default:
      false
    }
  }
}
