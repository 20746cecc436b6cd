// The record in which every store of bytes keeps an entry.
//
// What: an 80-byte little-endian header, then the key, the metadata and the value.
//
//   0  magic 8C 'C' 'A' 'S'       24  type                    64  checksum of the value
//   4  format version, flags      32  value length            72  checksum of header, key and
//   6  codec                      40  created, UTC µs             metadata, both checksums as 0
//   8  schema, key length         48  fresh until, UTC µs     80  key, metadata, value
//  16  metadata length, reserved  56  kept until, UTC µs
//
// Flags: bit 0 a value is present (nil = 0), bit 1 expired by hand, bits 4–7 compression (0 = none).
// Metadata: fields of tag (16 bits), length (32 bits), bytes.
// Invariants: a record decodes to exactly what was encoded, or throws; every length is compared with
// the real size before anything is allocated; bytes left over are damage, as is a wrong checksum.
// Times are absolute UTC, so that copies and restores keep the real lifetime.
// Called by the stores; no store decides by anything but a decoded record.
package enum Envelope {
  /// What precedes the value in a record.
  package struct Head: Sendable {
    /// The fixed part.
    package var header: EnvelopeHeader
    /// The qualified key.
    package var key: [UInt8]
    /// What travels with the value.
    package var metadata: CacheMetadata
  }

  /// The whole record of an entry.
  ///
  /// - Parameters:
  ///   - entry: what to write.
  ///   - key: its qualified key.
  /// - Returns: the record.
  /// - Throws: `EnvelopeError` when the key or metadata is longer than 256 MiB, or a time is none.
  package static func encode(
    _ entry: CacheEntry,
    key: [UInt8]
  ) throws(EnvelopeError) -> [UInt8] {
    try bytes(of: entry, key, withValue: true)
  }

  /// The part of a record that precedes the value; the value follows as it is.
  ///
  /// - Parameters:
  ///   - entry: what to write.
  ///   - key: its qualified key.
  /// - Returns: header, key and metadata.
  /// - Throws: `EnvelopeError` when the key or metadata is longer than 256 MiB, or a time is none.
  package static func encodeHead(
    _ entry: CacheEntry,
    key: [UInt8]
  ) throws(EnvelopeError) -> [UInt8] {
    try bytes(of: entry, key, withValue: false)
  }

  private static func bytes(
    of entry: CacheEntry,
    _ key: [UInt8],
    withValue: Bool
  ) throws(EnvelopeError) -> [UInt8] {
    let metadata = entry.metadata.recordBytes
    var header = try EnvelopeHeader(
      entry,
      keyLength: key.count,
      metadataLength: metadata.count
    )
    let payload = entry.payload ?? []
    header.valueChecksum = Checksum.of(payload)
    let size = header.valueOffset + (withValue ? payload.count : 0)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      unsafe header.write(to: bytes)
      count = EnvelopeHeader.size
      func append(_ part: [UInt8]) {
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyBytes(from: part)
        count += part.count
      }
      append(key)
      append(metadata)
      if withValue { append(payload) }
      let head = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<header.valueOffset])
      unsafe EnvelopeHeader.seal(head)
    }
  }

  /// Reads a whole record.
  ///
  /// - Parameter bytes: the record and nothing else; where the caller gives them up, a large value
  ///   stays in their memory.
  /// - Returns: the qualified key and the entry.
  /// - Throws: `EnvelopeError` when anything is wrong with it.
  package static func decode(
    _ bytes: consuming [UInt8]
  ) throws(EnvelopeError) -> (key: [UInt8], entry: CacheEntry) {
    var bytes = bytes
    let header = try EnvelopeHeader(bytes, ofRecord: bytes.count)
    let head = try decodeHead(bytes, header)
    // A small value would hold on to much more memory than it needs.
    if header.valueOffset > bytes.count / 8 {
      return (head.key, try entry(head, value: Array(bytes[header.valueOffset...])))
    }
    bytes.removeFirst(header.valueOffset)
    return (head.key, try entry(head, value: bytes))
  }

  /// Reads what precedes the value.
  ///
  /// - Parameter bytes: the beginning of a record, at least up to its value.
  /// - Returns: header, key and metadata, which are undamaged.
  /// - Throws: `EnvelopeError` when anything is wrong with them.
  package static func decodeHead(_ bytes: [UInt8]) throws(EnvelopeError) -> Head {
    try decodeHead(bytes, EnvelopeHeader(bytes))
  }

  private static func decodeHead(
    _ bytes: [UInt8],
    _ header: EnvelopeHeader
  ) throws(EnvelopeError) -> Head {
    let end = header.valueOffset
    guard end <= bytes.count else { throw .truncated }
    let checksum = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EnvelopeHeader.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    }
    guard checksum == header.headChecksum else { throw .header }
    let keyEnd = EnvelopeHeader.size + Int(header.keyLength)
    return Head(
      header: header,
      key: Array(bytes[EnvelopeHeader.size..<keyEnd]),
      metadata: keyEnd == end
        ? CacheMetadata() : try CacheMetadata(recordBytes: bytes[keyEnd..<end])
    )
  }

  /// Puts an entry together from the two parts of a record.
  ///
  /// - Parameters:
  ///   - head: what precedes the value.
  ///   - value: the value's bytes.
  /// - Returns: the entry.
  /// - Throws: `EnvelopeError` when the value is not the one that was written.
  package static func entry(
    _ head: Head,
    value: [UInt8]
  ) throws(EnvelopeError) -> CacheEntry {
    let header = head.header
    guard UInt64(value.count) == header.valueLength else { throw .truncated }
    guard Checksum.of(value) == header.valueChecksum else { throw .value }
    return CacheEntry(
      payload: header.flags & EnvelopeHeader.valuePresent == 0 ? nil : value,
      codec: CodecIdentifier(rawValue: header.codec),
      type: header.type,
      schema: header.schema,
      created: header.created,
      freshUntil: header.freshUntil,
      keptUntil: header.keptUntil,
      isExpiredByHand: header.flags & EnvelopeHeader.expiredByHand != 0,
      metadata: head.metadata
    )
  }
}
