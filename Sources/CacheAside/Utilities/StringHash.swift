// SipHash-1-3 of a string's bytes, the function of the standard library's `Hasher`, without what a
// `Hasher` costs around it.
//
// Equal strings must have equal hashes, and strings are equal when they are canonically equivalent.
// For ASCII that is equality of bytes. A string that is not all ASCII can equal one that is only
// through three scalars, which are spelled out here; all others go through `Hasher`.
//
// J.-P. Aumasson, D. J. Bernstein: SipHash, a fast short-input PRF (INDOCRYPT 2012).

@usableFromInline
enum StringHash {
  /// The two halves of a key.
  @frozen @usableFromInline
  struct Key: BitwiseCopyable, Sendable {
    let low: UInt64
    let high: UInt64

    init(seed: UInt64) {
      low = FoldedHash.spread(seed)
      high = FoldedHash.spread(low)
    }

    init(low: UInt64, high: UInt64) {
      self.low = low
      self.high = high
    }
  }

  /// The hash of a string under a key; equal for canonically equivalent strings.
  @usableFromInline
  static func hash(_ string: String, _ key: Key) -> UInt64 {
    let hash = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe hashOfASCII(UnsafeRawBufferPointer($0), key)
    }
    if let hash, let hash { return hash }
    return hashOfOther(string, key)
  }

  /// The hash of bytes, or `nil` if some are not ASCII.
  @inline(__always)
  static func hashOfASCII(_ bytes: UnsafeRawBufferPointer, _ key: Key) -> UInt64? {
    var state = State(key)
    var seen: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      seen |= word
      state.absorb(word)
      offset &+= 8
    }
    let last = unsafe tail(bytes, from: offset)
    seen |= last
    if seen & 0x8080_8080_8080_8080 != 0 { return nil }
    return state.finish(last | UInt64(truncatingIfNeeded: bytes.count) &<< 56)
  }

  /// The up to seven bytes from an offset to the end, as the lower bytes of a word.
  @inline(__always)
  private static func tail(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
    var word: UInt64 = 0
    var offset = offset
    var shift: UInt64 = 0
    if bytes.count & 4 != 0 {
      let four = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      word = UInt64(four.littleEndian)
      offset &+= 4
      shift = 32
    }
    if bytes.count & 2 != 0 {
      let two = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
      word |= UInt64(two.littleEndian) &<< shift
      offset &+= 2
      shift &+= 16
    }
    if bytes.count & 1 != 0 {
      word |= UInt64(unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)) &<< shift
    }
    return word
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
  private static func hashOfOther(_ string: String, _ key: Key) -> UInt64 {
    var bytes: [UInt8] = []
    for scalar in string.unicodeScalars {
      guard let byte = asciiEquivalent(of: scalar) else {
        let seed = Int(truncatingIfNeeded: key.low)
        return UInt64(truncatingIfNeeded: string._rawHashValue(seed: seed))
      }
      bytes.append(byte)
    }
    return unsafe bytes.withUnsafeBytes { unsafe hashOfASCII($0, key) } ?? 0
  }
}

extension StringHash {
  /// The four words of SipHash.
  struct State {
    private var words: (UInt64, UInt64, UInt64, UInt64)

    @inline(__always)
    init(_ key: Key) {
      words = (
        key.low ^ 0x736F_6D65_7073_6575, key.high ^ 0x646F_7261_6E64_6F6D,
        key.low ^ 0x6C79_6765_6E65_7261, key.high ^ 0x7465_6462_7974_6573
      )
    }

    @inline(__always)
    mutating func absorb(_ word: UInt64) {
      words.3 ^= word
      round()
      words.0 ^= word
    }

    @inline(__always)
    consuming func finish(_ word: UInt64) -> UInt64 {
      absorb(word)
      words.2 ^= 0xFF
      round()
      round()
      round()
      return words.0 ^ words.1 ^ words.2 ^ words.3
    }

    @inline(__always)
    private mutating func round() {
      words.0 &+= words.1
      words.1 = Self.rotated(words.1, 13) ^ words.0
      words.0 = Self.rotated(words.0, 32)
      words.2 &+= words.3
      words.3 = Self.rotated(words.3, 16) ^ words.2
      words.0 &+= words.3
      words.3 = Self.rotated(words.3, 21) ^ words.0
      words.2 &+= words.1
      words.1 = Self.rotated(words.1, 17) ^ words.2
      words.2 = Self.rotated(words.2, 32)
    }

    @inline(__always)
    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
      word &<< bits | word &>> (64 &- bits)
    }
  }
}
