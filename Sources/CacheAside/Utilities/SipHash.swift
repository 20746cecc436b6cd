// SipHash-1-3, the function inside the standard library's `Hasher`, without what a `Hasher` costs
// around it.
//
// J.-P. Aumasson, D. J. Bernstein: SipHash, a fast short-input PRF (INDOCRYPT 2012).

/// The state of a hash that is being taken: words and strings are absorbed, then it is finished.
@frozen @usableFromInline
struct SipHash: BitwiseCopyable {
  /// The two halves of a key.
  @frozen @usableFromInline
  struct Key: BitwiseCopyable, Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    /// Spreads a seed, as fast as it can be for keys that are made at each hash.
    @inlinable @inline(__always)
    init(seed: UInt64) {
      low = seed
      high = seed &* 0x9E37_79B9_7F4A_7C15
    }

    init(low: UInt64, high: UInt64) {
      self.low = low
      self.high = high
    }
  }

  @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64)

  @inlinable @inline(__always)
  init(_ key: Key) {
    words = (
      key.low ^ UInt64(0x736F_6D65_7073_6575), key.high ^ 0x646F_7261_6E64_6F6D,
      key.low ^ UInt64(0x6C79_6765_6E65_7261), key.high ^ 0x7465_6462_7974_6573
    )
  }

  /// Absorbs one word.
  @inlinable @inline(__always)
  mutating func absorb(_ word: UInt64) {
    words.3 ^= word
    round()
    words.0 ^= word
  }

  /// The hash of what was absorbed, with one last word.
  @inlinable @inline(__always)
  consuming func finish(_ word: UInt64) -> UInt64 {
    absorb(word)
    return finished()
  }

  /// The hash of what was absorbed.
  @inlinable @inline(__always)
  consuming func finished() -> UInt64 {
    words.2 ^= 0xFF
    round()
    round()
    round()
    return words.0 ^ words.1 ^ words.2 ^ words.3
  }

  /// The hash of what was absorbed, with bytes at the end.
  @inline(__always)
  consuming func finish(with bytes: UnsafeRawBufferPointer) -> UInt64 {
    var seen: UInt64 = 0
    let last = unsafe absorbWords(of: bytes, seen: &seen)
    return finish(last)
  }

  /// Absorbs bytes but for the last up to seven.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - seen: gets the bits that any word had.
  /// - Returns: the last word: the bytes that were left, and the length in its upper byte.
  @inline(__always)
  mutating func absorbWords(of bytes: UnsafeRawBufferPointer, seen: inout UInt64) -> UInt64 {
    let count = bytes.count
    let length = UInt64(truncatingIfNeeded: count) &<< 56
    if count < 8 {
      let last = unsafe Self.tail(bytes, from: 0)
      seen |= last
      return last | length
    }
    let end = count & ~7
    var offset = 0
    repeat {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      seen |= word
      absorb(word)
      offset &+= 8
    } while offset != end
    // The last eight bytes without those that were absorbed, which may be all.
    let tail = unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
    seen |= tail
    return (tail &>> 8) &>> UInt64(truncatingIfNeeded: (~count & 7) &<< 3) | length
  }

  /// The up to seven bytes from an offset to the end, as the lower bytes of a word.
  @inline(__always)
  static func tail(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
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

  @inlinable @inline(__always)
  mutating func round() {
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

  @inlinable @inline(__always)
  static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 &- bits)
  }
}
