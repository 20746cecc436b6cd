// The text of a key while it is made, in place: ASCII only, with nothing to escape. What does not
// fit or must be escaped goes another way (`CacheKey.StringInterpolation`).
//
// Bytes are looked at eight at a time. `(x - 0x01…) & ~x & 0x80…` is not zero when a byte of `x` is,
// and `(x - 0x20…) & ~x & 0x80…` when a byte is below 0x20 (S. E. Anderson: Bit Twiddling Hacks).

/// Up to 64 bytes of text.
@frozen @usableFromInline
struct TextBuffer: BitwiseCopyable, Sendable {
  // One more than the text takes: a word is stored whole, whatever its length. Behind the text are
  // zeros.
  @usableFromInline var words:
    (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  @usableFromInline var count: Int

  static var capacity: Int { 64 }

  @inlinable
  init() {
    words = (0, 0, 0, 0, 0, 0, 0, 0, 0)
    count = 0
  }

  /// Appends a string; returns `false`, and appends nothing, if it does not fit or is not plain.
  @inline(__always)
  mutating func append(_ string: String, isLiteral: Bool) -> Bool {
    unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe append(UnsafeRawBufferPointer($0), isLiteral: isLiteral)
    } ?? false
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer, isLiteral: Bool) -> Bool {
    let start = count
    guard bytes.count <= Self.capacity &- start else { return false }
    var seen: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      seen |= isLiteral ? Self.isNotPlain(literal: word) : Self.isNotPlain(part: word)
      store(word)
      count &+= 8
      offset &+= 8
    }
    let rest = bytes.count &- offset
    if rest > 0 {
      let word = unsafe SipHash.tail(bytes, from: offset)
      // Spaces where there is nothing, since zero would be a control character.
      let filled = word | 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: 8 &* rest)
      seen |= isLiteral ? Self.isNotPlain(literal: filled) : Self.isNotPlain(part: filled)
      store(word)
      count &+= rest
    }
    if seen & 0x8080_8080_8080_8080 == 0 { return true }
    remove(from: start)
    return false
  }

  /// Appends a number in decimal; returns `false`, and appends nothing, if it may not fit.
  @inline(__always)
  mutating func append(decimal magnitude: UInt64, isNegative: Bool) -> Bool {
    guard count <= Self.capacity &- 21 else { return false }
    if isNegative {
      store(0x2D)
      count &+= 1
    }
    if magnitude < 100_000_000 {
      appendDigits(first: magnitude)
      return true
    }
    let (upper, last) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
    if upper < 100_000_000 {
      appendDigits(first: upper)
    } else {
      let (first, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
      appendDigits(first: first)
      appendDigits(more: middle)
    }
    appendDigits(more: last)
    return true
  }

  /// The text, if it is short.
  @inlinable
  var shortText: ShortText? {
    @inline(__always) get {
      guard count <= ShortText.capacity else { return nil }
      return ShortText(
        words.0.littleEndian,
        words.1.littleEndian,
        words.2.littleEndian,
        words.3.littleEndian,
        count: count
      )
    }
  }

  /// The key of a longer text.
  var longKey: CacheKey { unsafe withBytes { unsafe CacheKey($0) } }

  /// The text; from now on nothing fits.
  mutating func close() -> String {
    let text = unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    count = .max
    return text
  }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes(of: words) {
      unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }

  // MARK: Words

  /// Stores a word behind the text.
  @inline(__always)
  private mutating func store(_ word: UInt64) {
    let offset = count
    unsafe withUnsafeMutableBytes(of: &words) {
      unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }

  /// Takes a text back that turned out not to be plain.
  private mutating func remove(from start: Int) {
    let end = count
    unsafe withUnsafeMutableBytes(of: &words) {
      for offset in start..<end { unsafe $0[offset] = 0 }
    }
    count = start
  }

  /// Appends a number below 10^8 without zeros before it.
  @inline(__always)
  private mutating func appendDigits(first number: UInt64) {
    let digits = Self.digits(number)
    // The last digit stays, even if it is a zero.
    let zeros = (digits | 1 &<< 56).trailingZeroBitCount & ~7
    store((digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros))
    count &+= 8 &- zeros / 8
  }

  /// Appends a number below 10^8 as eight digits.
  @inline(__always)
  private mutating func appendDigits(more number: UInt64) {
    store(Self.digits(number) | 0x3030_3030_3030_3030)
    count &+= 8
  }

  /// The eight decimal digits of a number below 10^8, the first in the lowest byte.
  ///
  /// The number is split in halves, the halves in halves and again, all in one word: the products
  /// with 10,486 / 2^20 and 103 / 2^10 are exact quotients by 100 and 10 in their ranges.
  @inline(__always)
  private static func digits(_ number: UInt64) -> UInt64 {
    let (upper, lower) = number.quotientAndRemainder(dividingBy: 10_000)
    let halves = upper | lower &<< 32
    let hundreds = (halves &* 10_486) &>> 20 & 0x7F_0000_007F
    let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) &<< 8
  }

  // MARK: What is not plain

  /// Whether a byte is not ASCII or is escaped in a literal, in the highest bit of some byte.
  @inline(__always)
  private static func isNotPlain(literal word: UInt64) -> UInt64 {
    word | zeros(word ^ 0x2525_2525_2525_2525)
  }

  /// Whether a byte is not ASCII or is escaped in a part, in the highest bit of some byte.
  @inline(__always)
  private static func isNotPlain(part word: UInt64) -> UInt64 {
    isNotPlain(literal: word) | zeros(word ^ 0x2F2F_2F2F_2F2F_2F2F)
      | zeros(word ^ 0x3A3A_3A3A_3A3A_3A3A) | zeros(word ^ 0x7F7F_7F7F_7F7F_7F7F)
      | (word &- 0x2020_2020_2020_2020) & ~word
  }

  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word
  }
}
