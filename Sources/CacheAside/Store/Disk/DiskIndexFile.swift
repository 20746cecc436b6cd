// The bytes of a shard's index.
//
//   0  magic 8C 'C' 'A' 'I'       8  made, UTC µs            24  notes of 64 bytes each
//   4  format version, reserved  16  checksum of all else
//
// What: little-endian words; a note's are its eight fields in order. Invariants: bytes that are not
// exactly what was encoded decode to nothing, whatever their number. Called by the disk store.
struct DiskIndexFile: Equatable, Sendable {
  /// How many bytes precede the notes.
  static let headSize = 24
  /// How many bytes a note has.
  static let noteSize = 64

  /// How large the index of a shard with so many files may be; asked by writers and readers.
  static func admits(notes: Int, ofFiles files: Int) -> Bool { notes <= 4 * files + 1_024 }

  /// No record is larger.
  private static let mostRecordBytes: Int64 = 1 << 40

  private static let magic: UInt64 = 0x01_4941_438C
  private static let checksumOffset = 16

  /// When the oldest of what it says was learned, in microseconds since 1970.
  var made: Int64
  /// What it says, in any order.
  var notes: [DiskNote]

  init(made: Int64, notes: [DiskNote]) {
    self.made = made
    self.notes = notes
  }

  /// Reads an index, with room for more notes; `nil` when anything is wrong with it.
  init?(_ bytes: consuming [UInt8], room: Int = 0) {
    let size = bytes.count - Self.headSize
    let reader = ByteReader(copy bytes)
    guard size >= 0, size.isMultiple(of: Self.noteSize), reader.word(at: 0) == Self.magic,
      let checksum = reader.word(at: Self.checksumOffset), let made = reader.signedWord(at: 8)
    else { return nil }
    _ = consume reader
    self.made = made
    // In place, unless somebody else has the bytes, too.
    bytes.store(littleEndian: 0, at: Self.checksumOffset)
    guard Checksum.of(bytes) == checksum else { return nil }
    notes = []
    notes.reserveCapacity(size / Self.noteSize + room)
    unsafe bytes.withUnsafeBytes { bytes in
      for offset in stride(from: Self.headSize, to: bytes.count, by: Self.noteSize) {
        unsafe notes.append(DiskNote(bytes, at: offset))
      }
    }
    // Sizes are added up.
    guard notes.allSatisfy({ (0...Self.mostRecordBytes).contains(Int64($0.size)) }) else {
      return nil
    }
  }

  /// The index's bytes.
  var bytes: [UInt8] {
    var words: [UInt64] = []
    words.reserveCapacity((Self.headSize + notes.count * Self.noteSize) / 8)
    words.append(Self.magic.littleEndian)
    words.append(UInt64(bitPattern: made).littleEndian)
    words.append(0)
    for note in notes { note.append(to: &words) }
    var bytes = unsafe words.withUnsafeBytes { unsafe Array($0) }
    bytes.store(littleEndian: Checksum.of(bytes), at: Self.checksumOffset)
    return bytes
  }
}

extension DiskNote {
  fileprivate init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    func word(_ index: Int) -> Int64 {
      unsafe Int64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8 * index, as: Int64.self)
      )
    }
    name = UInt64(bitPattern: word(0))
    inode = UInt64(bitPattern: word(1))
    size = Int(clamping: word(2))
    accessed = word(3)
    changed = word(4)
    created = word(5)
    freshUntil = word(6)
    keptUntil = word(7)
  }

  fileprivate func append(to words: inout [UInt64]) {
    words.append(name.littleEndian)
    words.append(inode.littleEndian)
    words.append(UInt64(bitPattern: Int64(size)).littleEndian)
    words.append(UInt64(bitPattern: accessed).littleEndian)
    words.append(UInt64(bitPattern: changed).littleEndian)
    words.append(UInt64(bitPattern: created).littleEndian)
    words.append(UInt64(bitPattern: freshUntil).littleEndian)
    words.append(UInt64(bitPattern: keptUntil).littleEndian)
  }
}
