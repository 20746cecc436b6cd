// The bytes of the ledger.
//
//   0  magic 8C 'C' 'A' 'L'   8  epoch       24  floor                 40  checksum of the head
//   4  version, flags        16  sequence    32  length of the head
//
// and then, one after the other, stamps:
//
//   0  length, verb           16  sequence, 0 = the next      40  keepExpired, ns
//   8  id                     24  time, UTC µs                48  namespace and tags, with lengths
//                             32  staleIfError, ns            last eight bytes: checksum
//
// What: little-endian words; a file is written whole with its head, and stamps are appended to it.
// Invariants: bytes that are not exactly what was encoded decode to nothing; a stamp that is cut off
// at the end makes the whole file torn. Called by the disk store.
struct DiskLedgerFile: Equatable, Sendable {
  /// What is wrong with a ledger's bytes.
  enum Fault: Error {
    /// The last stamp is not whole: it is being written, or never will be.
    case torn
    case damaged
  }

  private static let magic: UInt32 = 0x4C41_438C
  private static let version: UInt16 = 1
  private static let headSize = 48
  private static let fewestStampBytes = 64
  /// A longer stamp is not written; a ledger of a new epoch says the same and more.
  static let mostStampBytes = 16_384

  var ledger: DiskLedger
  /// The ids of all stamps, also of those that no longer count.
  var ids: Set<UInt64> = []

  init(_ ledger: DiskLedger) {
    self.ledger = ledger
    ids = Set(ledger.stamps.map(\.id))
  }

  init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= Self.headSize else { throw .damaged }
    guard Self.word(bytes, 40) == Checksum.of(Array(bytes[..<40])),
      UInt32(truncatingIfNeeded: Self.word(bytes, 0)) == Self.magic,
      UInt16(truncatingIfNeeded: Self.word(bytes, 0) >> 32) == Self.version,
      Self.word(bytes, 32) == UInt64(Self.headSize)
    else { throw .damaged }
    let epoch = Self.word(bytes, 8)
    guard epoch != 0 else { throw .damaged }
    ledger = DiskLedger(
      epoch: epoch,
      admitsUnmarked: Self.word(bytes, 0) >> 48 & 1 == 1,
      sequence: Self.word(bytes, 16),
      floor: Self.word(bytes, 24)
    )
    var offset = Self.headSize
    while offset < bytes.count {
      guard bytes.count - offset >= 8 else { throw .torn }
      let length = Int(Self.word(bytes, offset) & 0xFFFF_FFFF)
      guard length >= Self.fewestStampBytes, length <= Self.mostStampBytes, length.isMultiple(of: 8)
      else { throw .damaged }
      guard bytes.count - offset >= length else { throw .torn }
      let stamp = try Self.stamp(Array(bytes[offset..<offset + length]))
      // One that was appended twice counts from where it stood first.
      if ids.insert(stamp.id).inserted { ledger.add(stamp) }
      offset += length
    }
  }

  /// The bytes of a whole file.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: Self.magic)
    bytes.append(littleEndian: Self.version)
    bytes.append(littleEndian: UInt16(ledger.admitsUnmarked ? 1 : 0))
    bytes.append(littleEndian: ledger.epoch)
    bytes.append(littleEndian: ledger.sequence)
    bytes.append(littleEndian: ledger.floor)
    bytes.append(littleEndian: UInt64(Self.headSize))
    bytes.append(littleEndian: Checksum.of(bytes))
    for stamp in ledger.stamps { bytes += Self.bytes(of: stamp) }
    return bytes
  }

  /// The bytes of one stamp.
  static func bytes(of stamp: DiskLedger.Stamp) -> [UInt8] {
    var text: [UInt8] = []
    for part in [stamp.subject.namespace] + stamp.subject.tags {
      text.append(littleEndian: UInt32(clamping: part.utf8.count))
      text += Array(part.utf8)
    }
    // A length of 0xFFFFFFFF ends the list and fills up to a multiple of eight.
    while !text.count.isMultiple(of: 8) { text.append(0xFF) }
    while 48 + text.count + 8 < fewestStampBytes { text.append(0xFF) }
    let expiry: (Int64, Int64, Int64)? =
      if case .expire(let wall, let staleIfError, let keepExpired) = stamp.verb {
        (wall, staleIfError, keepExpired)
      } else {
        nil
      }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(clamping: 48 + text.count + 8))
    bytes.append(littleEndian: UInt32(expiry == nil ? 0 : 1))
    bytes.append(littleEndian: stamp.id)
    bytes.append(littleEndian: stamp.sequence)
    bytes.append(littleEndian: expiry?.0 ?? 0)
    bytes.append(littleEndian: expiry?.1 ?? 0)
    bytes.append(littleEndian: expiry?.2 ?? 0)
    bytes += text
    bytes.append(littleEndian: Checksum.of(bytes))
    return bytes
  }

  private static func stamp(_ bytes: [UInt8]) throws(Fault) -> DiskLedger.Stamp {
    let end = bytes.count - 8
    guard word(bytes, end) == Checksum.of(Array(bytes[..<end])) else { throw .damaged }
    var texts: [String] = []
    var offset = 48
    while offset + 4 <= end {
      let length = bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      if length == 0xFFFF_FFFF { break }
      guard length <= end - offset - 4 else { throw .damaged }
      let text = bytes[offset + 4..<offset + 4 + length]
      texts.append(String(decoding: text, as: UTF8.self))
      offset += 4 + length
    }
    guard !texts.isEmpty else { throw .damaged }
    return DiskLedger.Stamp(
      subject: DiskLedger.Subject(namespace: texts.removeFirst(), tags: texts),
      verb: word(bytes, 0) >> 32 == 0
        ? .remove
        : .expire(
          at: Int64(bitPattern: word(bytes, 24)),
          staleIfError: Int64(bitPattern: word(bytes, 32)),
          keepExpired: Int64(bitPattern: word(bytes, 40))
        ),
      id: word(bytes, 8),
      sequence: word(bytes, 16)
    )
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}
