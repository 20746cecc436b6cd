// The text of a key in four words, as most keys are short: a look at the key then needs no other
// memory, and making one none at all.
//
// The bytes lie from the lowest byte of the first word on, zeros behind them. UTF-8 never ends with
// a byte above 0xBF, so such a last byte says how many bytes there are, and any other one is the
// 32nd. A longer text is behind a reference (`LongText`); its words are the hash of its bytes, their
// number and a mark, so that equal texts have equal words, whatever their length.

/// Up to 32 bytes of UTF-8, or what stands for a longer text.
@frozen @usableFromInline
struct ShortText: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64
  @usableFromInline let third: UInt64
  @usableFromInline let fourth: UInt64

  @inlinable static var capacity: Int { 32 }

  @inlinable static var lengthMark: UInt64 { 0xC0 }
  private static var longMark: UInt64 { 0xFF }

  /// Stands for a longer text.
  init(hash: UInt64, count: Int) {
    first = hash
    second = UInt64(truncatingIfNeeded: count)
    third = 0
    fourth = Self.longMark << 56
  }

  /// Holds words of text whose bytes behind the text are zero.
  @inlinable @inline(__always)
  init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64, count: Int) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth =
      count < Self.capacity
      ? fourth | (Self.lengthMark | UInt64(truncatingIfNeeded: count)) &<< 56 : fourth
  }

  /// Holds bytes, at most 32.
  init(_ bytes: UnsafeRawBufferPointer) {
    var words: [UInt64] = [0, 0, 0, 0]
    for unsafe(index, byte) in unsafe bytes.enumerated() {
      words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
    }
    self.init(words[0], words[1], words[2], words[3], count: bytes.count)
  }

  /// How many bytes there are, if they are here.
  private var count: Int {
    let last = fourth >> 56
    return last < Self.lengthMark ? Self.capacity : Int(last & ~Self.lengthMark)
  }

  /// The bytes, if they are here.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let words = (first.littleEndian, second.littleEndian, third.littleEndian, fourth.littleEndian)
    return unsafe withUnsafeBytes(of: words) {
      unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }

  @inlinable @inline(__always)
  static func == (lhs: ShortText, rhs: ShortText) -> Bool {
    (lhs.first ^ rhs.first) | (lhs.second ^ rhs.second) | (lhs.third ^ rhs.third)
      | (lhs.fourth ^ rhs.fourth) == 0
  }
}
