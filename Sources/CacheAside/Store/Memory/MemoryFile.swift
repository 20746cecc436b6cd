// The file that a memory table is saved to: records one after the other.
//
// What: 8 bytes of magic, an 8-byte mark drawn for this file, then for each entry the mark, the
// length of its record (64 bits, little-endian) and the record of `Envelope`. Invariants: the file is
// written under a name of its own, forced to the device and renamed, so that what has the name is
// whole; only its user can read it. Where a record is damaged, reading goes on at the next mark, which
// no stored value can have known. Lengths are compared with the file's size before anything is read.
// Called by `Cache` on blocking threads, with one writer or reader a call.
struct MemoryFile {
  static let magic: [UInt8] = [0x8C, 0x43, 0x41, 0x4D, 0x45, 0x4D, 0x0A, 0x01]
  private static let chunk = 262_144

  /// The threads that save and restore.
  static let threads = BlockingThreads(label: "CacheAside.MemoryFile", width: 2)

  let path: String
  let files: any FileSystem

  init(_ path: String, files: any FileSystem = POSIXFileSystem()) {
    self.path = StandardFolder.absolute(path)
    self.files = files
  }

  /// Writes a file anew.
  ///
  /// - Parameters:
  ///   - mark: 64 random bits.
  ///   - body: is given a function that adds a record.
  /// - Throws: the system's error; the older file is untouched then.
  func write(mark: UInt64, _ body: (_ add: ([UInt8]) throws -> Void) throws -> Void) throws {
    let temporary = path + "." + String(mark, radix: 36) + ".tmp"
    let descriptor = try files.create(temporary, .completeUntilFirstUserAuthentication)
    do {
      do {
        var pending = Self.magic
        pending.append(littleEndian: mark)
        try body { record in
          pending.append(littleEndian: mark)
          pending.append(littleEndian: UInt64(record.count))
          pending += record
          if pending.count >= Self.chunk {
            try files.write(descriptor, pending)
            pending.removeAll(keepingCapacity: true)
          }
        }
        try files.write(descriptor, pending)
        try files.synchronize(descriptor)
      } catch {
        do { try files.close(descriptor) } catch {
          // The first error says more.
        }
        throw error
      }
      try files.close(descriptor)
      try files.rename(temporary, to: path)
    } catch {
      do { try files.unlink(temporary) } catch {
        // The first error says more.
      }
      throw error
    }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - accept: is given each record that is whole, with its key.
  ///   - onDamage: called for each stretch that is not.
  /// - Returns: whether there is a file.
  /// - Throws: the system's error; `EnvelopeError` when it is no such file.
  func read(
    _ accept: ([UInt8], CacheEntry) -> Void,
    onDamage: () -> Void
  ) throws -> Bool {
    let descriptor: Int32
    do { descriptor = try files.open(path) } catch {
      if error.isAbsent { return false }
      throw error
    }
    defer {
      do { try files.close(descriptor) } catch {
        // It was only read.
      }
    }
    var reader = Reader(
      files: files,
      descriptor: descriptor,
      size: try files.status(of: descriptor).size
    )
    guard try reader.bytes(at: 0, count: 8).elementsEqual(Self.magic) else {
      throw EnvelopeError.magic
    }
    let mark = Array(try reader.bytes(at: 8, count: 8))
    var offset = 16
    while offset < reader.size {
      if let (record, end) = try record(at: offset, mark, &reader) {
        do throws(EnvelopeError) {
          let (key, entry) = try Envelope.decode(record)
          accept(key, entry)
          offset = end
          continue
        } catch {
          // Damaged: the length may be wrong, too.
        }
      }
      onDamage()
      offset = try reader.next(mark, from: offset + 1)
    }
    return true
  }

  private func record(
    at offset: Int,
    _ mark: [UInt8],
    _ reader: inout Reader
  ) throws -> (record: [UInt8], end: Int)? {
    let head = try reader.bytes(at: offset, count: 16)
    guard head.count == 16, head.prefix(8).elementsEqual(mark) else { return nil }
    let most = reader.size - offset - 16
    guard let length = ByteReader(Array(head)).length(at: 8, atMost: most) else { return nil }
    let record = try reader.bytes(at: offset + 16, count: length)
    return record.count == length ? (Array(record), offset + 16 + length) : nil
  }

  /// A file seen through a window that moves.
  private struct Reader {
    let files: any FileSystem
    let descriptor: Int32
    let size: Int
    private var window: [UInt8] = []
    private var start = 0

    init(files: any FileSystem, descriptor: Int32, size: Int) {
      self.files = files
      self.descriptor = descriptor
      self.size = size
    }

    /// Some bytes; fewer than asked for at the end of the file only.
    mutating func bytes(at offset: Int, count: Int) throws -> ArraySlice<UInt8> {
      if offset < start || offset + count > start + window.count {
        window = try files.read(descriptor, at: offset, count: max(count, MemoryFile.chunk))
        start = offset
      }
      return window[(offset - start)...].prefix(count)
    }

    /// Where the mark stands next; the end of the file if it does not.
    mutating func next(_ mark: [UInt8], from offset: Int) throws -> Int {
      var offset = offset
      while offset + mark.count <= size {
        let part = Array(try bytes(at: offset, count: min(MemoryFile.chunk, size - offset)))
        if let found = part.firstRange(of: mark) { return offset + found.lowerBound }
        // The mark may begin in the last few bytes.
        offset += max(1, part.count - mark.count + 1)
      }
      return size
    }
  }
}
