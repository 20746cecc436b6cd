// Hashes of strings, and of values that hold strings, under a seed.
//
// Equal strings must have equal hashes, and strings are equal when they are canonically equivalent.
// For ASCII that is equality of bytes. A string that is not all ASCII can equal one that is only
// through three scalars, which are spelled out here; all others go through `Hasher`.

@usableFromInline
enum StringHash {
  /// The hash of a string; equal for canonically equivalent ones.
  @usableFromInline
  static func hash(_ string: String, _ key: SipHash.Key) -> UInt64 {
    let state = SipHash(key)
    let hash = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe hashOfASCII(UnsafeRawBufferPointer($0), state)
    }
    if let hash, let hash { return hash }
    return hashOfOther(string, state)
  }

  /// The hash of a value after another one: of a string or an integer without a `Hasher`.
  @inlinable @inline(__always)
  static func absorb<Value: Hashable>(_ part: Value, into state: inout SipHash, seed: Int) {
    let width = FoldedHash.integerWidth(of: Value.self)
    if width != 0 {
      state.absorb(FoldedHash.bits(of: part, width: width))
    } else if Value.self == String.self {
      // Through a pointer, since a cast would retain the string.
      state = unsafe withUnsafePointer(to: part) {
        unsafe absorbed(stringAt: UnsafeRawPointer($0), by: state)
      }
    } else {
      state.absorb(UInt64(truncatingIfNeeded: part._rawHashValue(seed: seed)))
    }
  }

  /// The hash of a value and a last word.
  @inlinable @inline(__always)
  static func hash<Value: Hashable>(_ part: Value, _ last: UInt64, seed: Int) -> Int {
    if Value.self == String.self {
      return unsafe withUnsafePointer(to: part) {
        unsafe hash(stringAt: UnsafeRawPointer($0), last, seed: seed)
      }
    }
    var state = SipHash(SipHash.Key(seed: UInt64(truncatingIfNeeded: seed)))
    absorb(part, into: &state, seed: seed)
    return Int(truncatingIfNeeded: state.finish(last))
  }

  /// The hash of a string and a last word: in one call, which keeps the state in registers.
  @usableFromInline
  static func hash(stringAt place: UnsafeRawPointer, _ last: UInt64, seed: Int) -> Int {
    let start = SipHash(SipHash.Key(seed: UInt64(truncatingIfNeeded: seed)))
    let string = unsafe place.assumingMemoryBound(to: String.self)
    return Int(truncatingIfNeeded: unsafe absorbed(string.pointee, by: start).finish(last))
  }

  /// The state after it has absorbed a string.
  @usableFromInline
  static func absorbed(stringAt place: UnsafeRawPointer, by before: SipHash) -> SipHash {
    unsafe absorbed(place.assumingMemoryBound(to: String.self).pointee, by: before)
  }

  @inline(__always)
  private static func absorbed(_ string: String, by before: SipHash) -> SipHash {
    var state = before
    var seen: UInt64 = 0
    let last = unsafe string.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe state.absorbWords(of: UnsafeRawBufferPointer(bytes), seen: &seen)
    }
    if let last, isASCII(seen) {
      state.absorb(last)
      return state
    }
    return absorbedOther(string, by: before)
  }

  @inline(never)
  private static func absorbedOther(_ string: String, by before: SipHash) -> SipHash {
    var state = before
    var seen: UInt64 = 0
    if let bytes = asciiBytes(of: string) {
      state.absorb(unsafe bytes.withUnsafeBytes { unsafe state.absorbWords(of: $0, seen: &seen) })
    } else {
      state.absorb(hasherHash(of: string, before))
    }
    return state
  }

  private static func isASCII(_ seen: UInt64) -> Bool { seen & 0x8080_8080_8080_8080 == 0 }

  /// The hash of bytes, or `nil` if some are not ASCII.
  @inline(__always)
  private static func hashOfASCII(
    _ bytes: UnsafeRawBufferPointer,
    _ start: SipHash
  ) -> UInt64? {
    var state = start
    var seen: UInt64 = 0
    let last = unsafe state.absorbWords(of: bytes, seen: &seen)
    return isASCII(seen) ? state.finish(last) : nil
  }

  /// The ASCII characters that other scalars are canonically equivalent to.
  static func asciiEquivalent(of scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case ..<0x80: UInt8(truncatingIfNeeded: scalar.value)
    case 0x037E: 0x3B  // the Greek question mark, a semicolon
    case 0x1FEF: 0x60  // the Greek varia, a grave accent
    case 0x212A: 0x4B  // the sign for kelvin, a K
    default: nil
    }
  }

  @inline(never)
  private static func hashOfOther(_ string: String, _ start: SipHash) -> UInt64 {
    guard let bytes = asciiBytes(of: string) else { return hasherHash(of: string, start) }
    return unsafe bytes.withUnsafeBytes { unsafe hashOfASCII($0, start) } ?? 0
  }

  /// The bytes of the ASCII string that a string equals, if it equals one.
  private static func asciiBytes(of string: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in string.unicodeScalars {
      guard let byte = asciiEquivalent(of: scalar) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func hasherHash(of string: String, _ start: SipHash) -> UInt64 {
    let seed = Int(truncatingIfNeeded: start.finish(0))
    return UInt64(truncatingIfNeeded: string._rawHashValue(seed: seed))
  }
}
