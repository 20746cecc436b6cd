// Hashes of plain words by one widening multiplication.
//
// The product of a word and an odd constant is folded: the high half, which depends on all bits of
// the word, over the low half. A random seed per table hides the order; it is no defence against
// someone who can watch the table and choose keys.

@usableFromInline
enum FoldedHash {
  /// The folded product of a word under a seed.
  @inlinable @inline(__always)
  static func fold(_ word: UInt64, seed: UInt64) -> UInt64 {
    let product = (word ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  /// 64 well-mixed bits of a word: the finaliser of splitmix64.
  static func spread(_ word: UInt64) -> UInt64 {
    var mixed = word &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// How many bytes wide the key type is, if it is one of the standard integers; else zero.
  ///
  /// In specialised code the comparisons fold to a constant.
  @inlinable @inline(__always)
  static func integerWidth<Key>(of type: Key.Type) -> Int {
    if type == Int.self || type == UInt.self { return MemoryLayout<Int>.size }
    if type == Int64.self || type == UInt64.self { return 8 }
    if type == Int32.self || type == UInt32.self { return 4 }
    if type == Int16.self || type == UInt16.self { return 2 }
    if type == Int8.self || type == UInt8.self { return 1 }
    return 0
  }

  /// The bit pattern of a standard integer of a known width.
  @inlinable @inline(__always)
  static func bits<Key>(of key: Key, width: Int) -> UInt64 {
    switch width {
    case 8: unsafe unsafeBitCast(key, to: UInt64.self)
    case 4: UInt64(unsafe unsafeBitCast(key, to: UInt32.self))
    case 2: UInt64(unsafe unsafeBitCast(key, to: UInt16.self))
    default: UInt64(unsafe unsafeBitCast(key, to: UInt8.self))
    }
  }
}
