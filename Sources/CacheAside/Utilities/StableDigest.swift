// SHA-256 (FIPS 180-4), so that names derived from keys are the same in every process, on every
// platform and in every version.
//
// The message is taken in blocks of 64 bytes; `buffer` holds the first `buffered` bytes of a block
// that is not complete, `length` counts all bytes. Called for file names and for keys on servers,
// never on a memory hit.

/// A SHA-256 digest that is fed piece by piece.
package struct StableDigest: Sendable {
  /// The eight words of the hash value so far.
  var state = SIMD8<UInt32>(
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19
  )
  private var buffer = SIMD64<UInt8>()
  private var buffered = 0
  private var length: UInt64 = 0

  /// Starts an empty message.
  package init() {}

  /// The digest of one whole message.
  ///
  /// - Parameter bytes: the message.
  /// - Returns: 32 bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var digest = StableDigest()
    digest.update(bytes)
    return digest.finalize()
  }

  /// Adds bytes to the message.
  ///
  /// - Parameter bytes: what follows.
  package mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// Adds bytes to the message.
  ///
  /// - Parameter bytes: what follows.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var index = 0
    if buffered > 0 {
      let taken = min(64 - buffered, bytes.count)
      unsafe append(UnsafeRawBufferPointer(rebasing: bytes[0..<taken]))
      index = taken
      guard buffered == 64 else { return }
      compressBuffer()
    }
    while bytes.count - index >= 64 {
      let block = unsafe UnsafeRawBufferPointer(rebasing: bytes[index..<index + 64])
      unsafe Self.compress(block, into: &state)
      index += 64
    }
    unsafe append(UnsafeRawBufferPointer(rebasing: bytes[index...]))
  }

  /// Ends the message.
  ///
  /// - Returns: the digest of all bytes so far, 32 bytes.
  package consuming func finalize() -> [UInt8] {
    let words = finalizeWords()
    return unsafe [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      for index in 0..<8 {
        unsafe UnsafeMutableRawBufferPointer(bytes)
          .storeBytes(of: words[index].bigEndian, toByteOffset: 4 * index, as: UInt32.self)
      }
      count = 32
    }
  }

  /// Ends the message.
  ///
  /// - Returns: the digest of all bytes so far as eight words, the highest byte of each first.
  consuming func finalizeWords() -> SIMD8<UInt32> {
    let (bits, buffered) = (length &* 8, buffered)
    var state = state
    unsafe withUnsafeMutableBytes(of: &buffer) { block in
      unsafe block[buffered] = 0x80
      unsafe UnsafeMutableRawBufferPointer(rebasing: block[(buffered + 1)...])
        .initializeMemory(as: UInt8.self, repeating: 0)
      if buffered >= 56 {
        unsafe Self.compress(UnsafeRawBufferPointer(block), into: &state)
        unsafe block.initializeMemory(as: UInt8.self, repeating: 0)
      }
      unsafe block.storeBytes(of: bits.bigEndian, toByteOffset: 56, as: UInt64.self)
      unsafe Self.compress(UnsafeRawBufferPointer(block), into: &state)
    }
    return state
  }

  /// Copies bytes that fit into the rest of the buffer.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return }
    let start = buffered
    unsafe withUnsafeMutableBytes(of: &buffer) { target in
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: bytes)
    }
    buffered += bytes.count
  }

  private mutating func compressBuffer() {
    let block = buffer
    unsafe withUnsafeBytes(of: block) { unsafe Self.compress($0, into: &state) }
    buffered = 0
  }
}
