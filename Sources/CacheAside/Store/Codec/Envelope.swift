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
  /// - Throws: `EnvelopeError` when the key or metadata is longer than 4 GiB.
  package static func encode(
    _ entry: CacheEntry,
    key: [UInt8]
  ) throws(EnvelopeError) -> [UInt8] {
    var bytes = try encodeHead(entry, key: key, reserving: entry.payload?.count ?? 0)
    if let payload = entry.payload { bytes += payload }
    return bytes
  }

  /// The part of a record that precedes the value; the value follows as it is.
  ///
  /// - Parameters:
  ///   - entry: what to write.
  ///   - key: its qualified key.
  ///   - capacity: for how many bytes more to reserve room.
  /// - Returns: header, key and metadata.
  /// - Throws: `EnvelopeError` when the key or metadata is longer than 4 GiB.
  package static func encodeHead(
    _ entry: CacheEntry,
    key: [UInt8],
    reserving capacity: Int = 0
  ) throws(EnvelopeError) -> [UInt8] {
    let metadata = entry.metadata.recordBytes
    let header = try EnvelopeHeader(
      entry,
      keyLength: key.count,
      metadataLength: metadata.count
    )
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.valueOffset + capacity)
    header.append(to: &bytes)
    bytes += key
    bytes += metadata
    let head = Checksum.of(bytes)
    bytes.store(littleEndian: Checksum.of(entry.payload ?? []), at: EnvelopeHeader.checksums)
    bytes.store(littleEndian: head, at: EnvelopeHeader.checksums + 8)
    return bytes
  }

  /// Reads a whole record.
  ///
  /// - Parameter bytes: the record and nothing else.
  /// - Returns: the qualified key and the entry.
  /// - Throws: `EnvelopeError` when anything is wrong with it.
  package static func decode(
    _ bytes: [UInt8]
  ) throws(EnvelopeError) -> (key: [UInt8], entry: CacheEntry) {
    let header = try EnvelopeHeader(bytes, ofRecord: bytes.count)
    let head = try decodeHead(bytes)
    return (head.key, try entry(head, value: Array(bytes[header.valueOffset...])))
  }

  /// Reads what precedes the value.
  ///
  /// - Parameter bytes: the beginning of a record, at least up to its value.
  /// - Returns: header, key and metadata, which are undamaged.
  /// - Throws: `EnvelopeError` when anything is wrong with them.
  package static func decodeHead(_ bytes: [UInt8]) throws(EnvelopeError) -> Head {
    let header = try EnvelopeHeader(bytes)
    guard header.valueOffset <= bytes.count else { throw .truncated }
    var head = Array(bytes[..<header.valueOffset])
    head.store(littleEndian: 0, at: EnvelopeHeader.checksums)
    head.store(littleEndian: 0, at: EnvelopeHeader.checksums + 8)
    guard Checksum.of(head) == header.headChecksum else { throw .header }
    let keyEnd = EnvelopeHeader.size + Int(header.keyLength)
    return Head(
      header: header,
      key: Array(bytes[EnvelopeHeader.size..<keyEnd]),
      metadata: try CacheMetadata(recordBytes: bytes[keyEnd..<header.valueOffset])
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
