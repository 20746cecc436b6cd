/// The fixed first 80 bytes of a record, little-endian; see ``Envelope``.
package struct EnvelopeHeader: Hashable, Sendable {
  /// How many bytes a header has.
  package static let size = 80

  static let magic: [UInt8] = [0x8C, 0x43, 0x41, 0x53]
  static let version: UInt8 = 1
  static let valuePresent: UInt8 = 1 << 0
  static let expiredByHand: UInt8 = 1 << 1
  /// Where the two checksums begin: of the value, then of the header, key and metadata.
  static let checksums = 64

  var flags: UInt8
  var codec: UInt16
  var schema: UInt32
  var keyLength: UInt32
  var metadataLength: UInt32
  var type: UInt64
  var valueLength: UInt64
  package var created: Int64
  package var freshUntil: Int64
  package var keptUntil: Int64
  var valueChecksum: UInt64
  var headChecksum: UInt64

  /// Where the value begins.
  var valueOffset: Int { Self.size + Int(keyLength) + Int(metadataLength) }

  /// The length of the whole record, or `nil` when no record can be that long.
  package var recordLength: Int? {
    guard let length = Int(exactly: valueLength), length <= .max / 2 else { return nil }
    return valueOffset + length
  }

  /// Whether a record can have a key and metadata of these lengths; asked by writers and readers.
  static func admits(keyLength: UInt32, metadataLength: UInt32) -> Bool {
    max(keyLength, metadataLength) <= 1 << 28
  }

  /// Whether a record can have these times; asked by writers and readers.
  ///
  /// No clock of this or the next hundred thousand years gives others; an end may never come.
  static func admits(created: Int64, freshUntil: Int64, keptUntil: Int64) -> Bool {
    let times = Int64.min / 2...Int64.max / 2
    return times.contains(created) && min(freshUntil, keptUntil) >= times.lowerBound
  }

  /// Reads a header; its checksum needs the key and metadata too and is not looked at.
  ///
  /// - Parameter bytes: at least 80 bytes.
  /// - Throws: `EnvelopeError` when they are no header of ours.
  package init(_ bytes: [UInt8]) throws(EnvelopeError) {
    guard bytes.count >= Self.size else { throw .truncated }
    guard bytes[..<4].elementsEqual(Self.magic) else { throw .magic }
    guard bytes[4] == Self.version else { throw .version }
    let word = { (offset: Int) -> UInt64 in
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe UInt64(
          littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
      }
    }
    flags = bytes[5]
    codec = UInt16(bytes[6]) | UInt16(bytes[7]) << 8
    schema = UInt32(truncatingIfNeeded: word(8))
    keyLength = UInt32(truncatingIfNeeded: word(8) >> 32)
    metadataLength = UInt32(truncatingIfNeeded: word(16))
    type = word(24)
    valueLength = word(32)
    created = Int64(bitPattern: word(40))
    freshUntil = Int64(bitPattern: word(48))
    keptUntil = Int64(bitPattern: word(56))
    valueChecksum = word(Self.checksums)
    headChecksum = word(Self.checksums + 8)
    // No known flag is left out, and no compression is known yet.
    guard flags & ~(Self.valuePresent | Self.expiredByHand) == 0 else { throw .flags }
    guard flags & Self.valuePresent != 0 || valueLength == 0 else { throw .flags }
    guard Self.admits(created: created, freshUntil: freshUntil, keptUntil: keptUntil) else {
      throw .times
    }
    guard Self.admits(keyLength: keyLength, metadataLength: metadataLength) else {
      throw .truncated
    }
  }

  /// Reads the header of a record whose whole length is known.
  ///
  /// - Parameters:
  ///   - bytes: at least the first 80 bytes.
  ///   - size: the length of the record.
  /// - Throws: `EnvelopeError` when they are no header of a record of that length.
  package init(_ bytes: [UInt8], ofRecord size: Int) throws(EnvelopeError) {
    try self.init(bytes)
    guard let length = recordLength, length <= size else { throw .truncated }
    guard length == size else { throw .excess }
  }

  /// Makes the header of an entry, without its checksums.
  init(_ entry: CacheEntry, keyLength: Int, metadataLength: Int) throws(EnvelopeError) {
    guard let keyLength = UInt32(exactly: keyLength),
      let metadataLength = UInt32(exactly: metadataLength),
      Self.admits(keyLength: keyLength, metadataLength: metadataLength)
    else { throw .tooLong }
    guard
      Self.admits(
        created: entry.created,
        freshUntil: entry.freshUntil,
        keptUntil: entry.keptUntil
      )
    else { throw .times }
    flags =
      (entry.payload == nil ? 0 : Self.valuePresent)
      | (entry.isExpiredByHand ? Self.expiredByHand : 0)
    codec = entry.codec.rawValue
    schema = entry.schema
    self.keyLength = keyLength
    self.metadataLength = metadataLength
    type = entry.type
    valueLength = UInt64(entry.payload?.count ?? 0)
    created = entry.created
    freshUntil = entry.freshUntil
    keptUntil = entry.keptUntil
    valueChecksum = 0
    headChecksum = 0
  }

  /// Writes the 80 bytes.
  ///
  /// - Parameter bytes: room for them.
  func write(to bytes: UnsafeMutableRawBufferPointer) {
    unsafe bytes.copyBytes(from: Self.magic)
    unsafe (bytes[4], bytes[5]) = (Self.version, flags)
    unsafe bytes.store(codec, at: 6)
    unsafe bytes.store(schema, at: 8)
    unsafe bytes.store(keyLength, at: 12)
    unsafe bytes.store(metadataLength, at: 16)
    unsafe bytes.store(UInt32(0), at: 20)
    unsafe bytes.store(type, at: 24)
    unsafe bytes.store(valueLength, at: 32)
    unsafe bytes.store(created, at: 40)
    unsafe bytes.store(freshUntil, at: 48)
    unsafe bytes.store(keptUntil, at: 56)
    unsafe bytes.store(valueChecksum, at: Self.checksums)
    unsafe bytes.store(headChecksum, at: Self.checksums + 8)
  }

  /// Writes the checksum of what precedes a value over its place in there.
  ///
  /// - Parameter head: header, key and metadata.
  static func seal(_ head: UnsafeMutableRawBufferPointer) {
    unsafe head.store(checksum(UnsafeRawBufferPointer(head)), at: checksums + 8)
  }

  /// The checksum of what precedes a value, taken with zeros for both checksums in it.
  ///
  /// - Parameter head: header, key and metadata.
  /// - Returns: the checksum.
  static func checksum(_ head: UnsafeRawBufferPointer) -> UInt64 {
    unsafe withUnsafeTemporaryAllocation(byteCount: head.count, alignment: 8) { copy in
      unsafe copy.copyMemory(from: head)
      unsafe copy.store(UInt64(0), at: checksums)
      unsafe copy.store(UInt64(0), at: checksums + 8)
      return unsafe Checksum.of(UnsafeRawBufferPointer(copy))
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes an integer's bytes, the lowest first.
  fileprivate func store(_ value: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    unsafe storeBytes(of: value.littleEndian, toByteOffset: offset, as: type(of: value))
  }
}

extension [UInt8] {
  /// Appends an integer's bytes, the lowest first.
  mutating func append(littleEndian value: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Replaces eight bytes by an integer's, the lowest first.
  mutating func store(littleEndian value: UInt64, at offset: Int) {
    for index in 0..<8 { self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}
