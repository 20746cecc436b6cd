extension CacheKey.Encoder {
  /// What an element is.
  ///
  /// The numbers are part of the format and never change. A length is a variable-length integer; `fixed` contents have none.
  enum Tag: UInt8 {
    /// `nil`; no content.
    case nothing = 0x6E  // n
    /// Before an element that is `nil` itself, in a nested optional.
    case some = 0x73  // s
    /// One byte, 0 or 1.
    case bool = 0x62  // b
    /// Length, then the shortest two's complement form, highest byte first.
    case integer = 0x69  // i
    /// Eight bytes: the canonical bit pattern of a `Double`, highest byte first.
    case floating = 0x64  // d
    /// Length, then UTF-8 in form C.
    case string = 0x75  // u
    /// Length, then the bytes.
    case bytes = 0x78  // x
    /// Length, then the elements in order.
    case list = 0x6C  // l
    /// Length, then the elements ordered by their bytes, without duplicates.
    case set = 0x65  // e
    /// Length, then keys and values in turn, ordered by their bytes.
    case dictionary = 0x6D  // m
    /// Length, then the elements that a type wrote.
    case composite = 0x63  // c
    /// Length, then names (as strings) and values in turn, ordered by the UTF-8 of the names.
    case object = 0x6F  // o
    /// Length, then the qualified form of a `CacheKey`.
    case key = 0x6B  // k
    /// Length, then seconds and attoseconds as integers.
    case duration = 0x44  // D
    /// Length, then lower and upper bound.
    case range = 0x52  // R
    /// Length, then lower and upper bound.
    case closedRange = 0x43  // C
    /// Sixteen bytes.
    case uuid = 0x55  // U
    /// Length, then the absolute string, UTF-8 in form C.
    case url = 0x4C  // L
    /// Eight bytes: seconds since 2001 as a canonical `Double`.
    case date = 0x54  // T
    /// Length, then the shortest decimal form in ASCII.
    case decimal = 0x51  // Q
    /// Sixteen random bytes: the value's own encoding failed, so it equals nothing.
    case unequal = 0x21  // !
  }
}
