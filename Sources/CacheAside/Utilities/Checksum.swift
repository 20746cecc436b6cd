// A 64-bit checksum of bytes: the XXH64 algorithm.
//
// What: four lanes of multiply-rotate over 32-byte stripes, merged and mixed; a damaged byte changes
// the result with a probability of 1 - 2^-64. Invariants: the result depends on the bytes and the
// seed only, never on their alignment, the platform or the process, so it may be written to disk.
// It is no defence against somebody who chooses the bytes. Called by the record envelope.
// Reference: Y. Collet, "xxHash fast digest algorithm", version 0.1.1.
package enum Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The checksum of an array's bytes.
  ///
  /// - Parameters:
  ///   - bytes: what to check.
  ///   - seed: another seed gives an independent checksum.
  /// - Returns: 64 bits.
  package static func of(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe of($0, seed: seed) }
  }

  /// The checksum of a range of memory.
  ///
  /// - Parameters:
  ///   - bytes: what to check.
  ///   - seed: another seed gives an independent checksum.
  /// - Returns: 64 bits.
  package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var offset = 0
    var sum: UInt64
    if bytes.count >= 32 {
      var lane1 = seed &+ prime1 &+ prime2
      var lane2 = seed &+ prime2
      var lane3 = seed
      var lane4 = seed &- prime1
      while offset &+ 32 <= bytes.count {
        unsafe lane1 = round(lane1, word(bytes, offset))
        unsafe lane2 = round(lane2, word(bytes, offset &+ 8))
        unsafe lane3 = round(lane3, word(bytes, offset &+ 16))
        unsafe lane4 = round(lane4, word(bytes, offset &+ 24))
        offset &+= 32
      }
      sum = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
      sum = merge(merge(merge(merge(sum, lane1), lane2), lane3), lane4)
    } else {
      sum = seed &+ prime5
    }
    sum &+= UInt64(bytes.count)
    while offset &+ 8 <= bytes.count {
      unsafe sum = rotate(sum ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset &+= 8
    }
    if offset &+ 4 <= bytes.count {
      let half = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      sum = rotate(sum ^ (UInt64(UInt32(littleEndian: half)) &* prime1), 23) &* prime2 &+ prime3
      offset &+= 4
    }
    while offset < bytes.count {
      unsafe sum = rotate(sum ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset &+= 1
    }
    sum = (sum ^ (sum >> 33)) &* prime2
    sum = (sum ^ (sum >> 29)) &* prime3
    return sum ^ (sum >> 32)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value &<< count) | (value &>> (64 &- count))
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merge(_ sum: UInt64, _ lane: UInt64) -> UInt64 {
    (sum ^ round(0, lane)) &* prime1 &+ prime4
  }
}
