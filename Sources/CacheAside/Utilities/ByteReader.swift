// Numbers out of bytes that anybody may have written.
//
// What: little-endian integers, lengths and texts of an array. Invariants: nothing outside the bytes is
// read, a length is at most what follows it, and no number can make a caller trap by being read: what is
// not there is `nil`. A checksum shows damage by accident, not bytes that somebody chose, so what
// is done with the numbers has to hold for all of them. Called by the formats of ledger, index, record and
// memory file.
package struct ByteReader: Sendable {
  /// What is read.
  package let bytes: [UInt8]

  /// Reads an array, without copying it.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Eight bytes.
  package func word(at offset: Int) -> UInt64? {
    guard has(8, at: offset) else { return nil }
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// Eight bytes with a sign.
  package func signedWord(at offset: Int) -> Int64? {
    word(at: offset).map(Int64.init(bitPattern:))
  }

  /// Four bytes.
  package func half(at offset: Int) -> UInt32? {
    guard has(4, at: offset) else { return nil }
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  /// A length in eight bytes, if so many bytes at most are meant.
  package func length(at offset: Int, atMost most: Int) -> Int? {
    guard let length = word(at: offset).flatMap(Int.init(exactly:)), length <= most else {
      return nil
    }
    return length
  }

  /// The checksum of some of the bytes.
  package func checksum(from offset: Int, count: Int) -> UInt64? {
    guard has(count, at: offset) else { return nil }
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count]))
    }
  }

  /// Some of the bytes as text.
  package func text(at offset: Int, count: Int) -> String? {
    guard has(count, at: offset) else { return nil }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }

  /// Whether there are so many bytes from a place on.
  package func has(_ count: Int, at offset: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= bytes.count && bytes.count - offset >= count
  }
}
