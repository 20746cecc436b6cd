// Hashes of strings, and of values that hold strings, under a seed.
//
// Equal strings must have equal hashes, and strings are equal when they are canonically equivalent.
// For ASCII that is equality of bytes. A string that is not all ASCII can equal one that is only
// through three scalars, which are spelled out here; all others go through `Hasher`.

@usableFromInline
enum StringHash {
  /// The hash of a string; equal for canonically equivalent ones.
  @inlinable @inline(__always)
  static func hash(_ string: String, _ key: SipHash.Key) -> UInt64 { key.hash(string) }

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
        let key = SipHash.Key(seed: UInt64(truncatingIfNeeded: seed))
        return Int(truncatingIfNeeded: unsafe key.hash(stringAt: UnsafeRawPointer($0), last))
      }
    }
    var state = SipHash(SipHash.Key(seed: UInt64(truncatingIfNeeded: seed)))
    absorb(part, into: &state, seed: seed)
    return Int(truncatingIfNeeded: state.finish(last))
  }

  /// The state after it has absorbed a string.
  @usableFromInline
  static func absorbed(stringAt place: UnsafeRawPointer, by before: SipHash) -> SipHash {
    let string = unsafe place.assumingMemoryBound(to: String.self)
    return unsafe absorbedASCII(string.pointee, by: before)
      ?? absorbedOther(string.pointee, by: before)
  }

  /// The state after it has absorbed a string, or `nil` if the string is not one of ASCII bytes.
  @inline(__always)
  fileprivate static func absorbedASCII(_ string: String, by before: SipHash) -> SipHash? {
    let state = unsafe string.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe absorbedASCII(UnsafeRawBufferPointer(bytes), by: before)
    }
    return state ?? nil
  }

  @inline(__always)
  private static func absorbedASCII(
    _ bytes: UnsafeRawBufferPointer,
    by before: SipHash
  ) -> SipHash? {
    var state = before
    var seen: UInt64 = 0
    let last = unsafe state.absorbWords(of: bytes, seen: &seen)
    guard seen & 0x8080_8080_8080_8080 == 0 else { return nil }
    state.absorb(last)
    return state
  }

  @inline(never)
  fileprivate static func absorbedOther(_ string: String, by before: SipHash) -> SipHash {
    if let bytes = asciiBytes(of: string),
      let state = unsafe bytes.withUnsafeBytes({ unsafe absorbedASCII($0, by: before) })
    {
      return state
    }
    var state = before
    state.absorb(hasherHash(of: string, before))
    return state
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

// Each is one call, which keeps the state in registers. What a hash of ASCII does not need begins
// anew, so that nothing is kept for it.
extension SipHash.Key {
  /// The hash of a string; equal for canonically equivalent ones.
  @usableFromInline
  func hash(_ string: String) -> UInt64 {
    StringHash.absorbedASCII(string, by: SipHash(self))?.finished() ?? hashOfOther(string)
  }

  /// The hash of a string and a last word.
  @usableFromInline
  func hash(stringAt place: UnsafeRawPointer, _ last: UInt64) -> UInt64 {
    let string = unsafe place.assumingMemoryBound(to: String.self)
    let state = unsafe StringHash.absorbedASCII(string.pointee, by: SipHash(self))
    return unsafe state?.finish(last) ?? hashOfOther(stringAt: place, last)
  }

  @inline(never)
  private func hashOfOther(_ string: String) -> UInt64 {
    StringHash.absorbedOther(string, by: SipHash(self)).finished()
  }

  @inline(never)
  private func hashOfOther(stringAt place: UnsafeRawPointer, _ last: UInt64) -> UInt64 {
    let string = unsafe place.assumingMemoryBound(to: String.self)
    return unsafe StringHash.absorbedOther(string.pointee, by: SipHash(self)).finish(last)
  }
}
