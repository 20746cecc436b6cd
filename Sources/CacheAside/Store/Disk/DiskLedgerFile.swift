// The bytes of the ledger.
//
//   0  magic 8C 'C' 'A' 'L'   8  epoch       24  floor                       36  bytes after folding
//   4  version, flags        16  sequence    32  length of the head (32 bits)  40  checksum of the head
//
// and then, one after the other, stamps:
//
//   0  length (32 bits)       8  id                       32  staleIfError, ns
//   4  kind (16 bits)        16  sequence, 0 = the next   40  keepExpired, ns
//   6  check of both         24  time, UTC µs             48  namespace and tags, with lengths
//                                                         last eight bytes: checksum
//
// What: little-endian words; a file is written whole with its head, and stamps are appended to it. Bits of a
// kind: 0 expires, 1 has no tag and no scope, 2 is the base, 3 is a list of numbers and their places.
// Invariants: stamps end by themselves, so that bytes which are none are passed over up to the next
// whole stamp. Passed over without loss is what was never acknowledged: the beginning of a stamp that
// ends where the file ends, or within which the next whole one begins; its writer is still at it, or died.
// Other bytes that are no stamp were one: they are damage, and count as a stamp that may have reached
// whatever their kind can reach; at the end of a file, without a kind, they damage the whole. A file that was read is read on from its last whole stamp. Every size
// that is written is below what is read. Called by the disk store.
struct DiskLedgerFile: Sendable {
  /// What is wrong with a ledger's head.
  enum Fault: Error {
    case damaged
  }

  /// A file that is larger than this was not written by us.
  static let mostBytes = 67_108_864
  /// A longer stamp is not written (see ``DiskLedger/Stamp/fitting``).
  static let mostStampBytes = 65_528
  /// How many bytes precede the stamps.
  static let headSize = 48

  private static let magic: UInt32 = 0x4C41_438C
  private static let version: UInt16 = 1
  private static let fixedStampBytes = 48
  private static let fewestStampBytes = 64
  private static let numbersInAStamp = 4_000
  private static let places: ClosedRange<UInt64> = 0...(.max / 2)

  private enum Kind {
    static let expires: UInt16 = 1 << 0
    static let isWhole: UInt16 = 1 << 1
    static let isBase: UInt16 = 1 << 2
    static let areNumbers: UInt16 = 1 << 3
    static let all: UInt16 = 15
  }

  private(set) var ledger: DiskLedger
  /// The head, by which the same file is known again.
  private(set) var head: [UInt8]
  /// Up to where it was read.
  private(set) var end: Int
  /// How many stretches of it were damaged.
  private(set) var damages = 0
  /// How large it was when it was last folded.
  private(set) var foldedSize: Int
  /// Whether what follows ``end`` looks damaged, and is to be read once more before it is.
  private(set) var isDoubtful = false
  /// Whether it ends with what was no stamp: how many stamps that were cannot be said, so that nobody
  /// would count those that follow as others do.
  private(set) var isBroken = false

  /// Makes the file of a ledger, which begins with nothing appended.
  init(_ ledger: DiskLedger) {
    let bytes = Self.bytes(of: ledger)
    self.ledger = ledger
    head = Array(bytes[..<Self.headSize])
    end = bytes.count
    foldedSize = bytes.count
  }

  /// Reads a whole file; `isFinal` as for ``read(_:isFinal:_:)``.
  init(
    _ bytes: [UInt8],
    isFinal: Bool = true,
    _ found: (UInt64) -> Void = { _ in }
  ) throws(Fault) {
    let reader = ByteReader(bytes)
    guard let first = reader.word(at: 0), let epoch = reader.word(at: 8), epoch != 0,
      let sequence = reader.word(at: 16), let floor = reader.word(at: 24),
      let sizes = reader.word(at: 32), let checksum = reader.word(at: 40),
      checksum == reader.checksum(from: 0, count: 40),
      UInt32(truncatingIfNeeded: first) == Self.magic,
      UInt16(truncatingIfNeeded: first >> 32) == Self.version,
      UInt32(truncatingIfNeeded: sizes) == UInt32(Self.headSize),
      Self.places.contains(sequence), floor <= sequence
    else { throw .damaged }
    ledger = DiskLedger(
      epoch: epoch,
      admitsUnmarked: first >> 48 & 1 == 1,
      sequence: sequence,
      floor: floor
    )
    head = Array(bytes[..<Self.headSize])
    foldedSize = min(Int(clamping: sizes >> 32), Self.mostBytes)
    end = Self.headSize
    read(reader, from: Self.headSize, isFinal: isFinal, found)
    if isBroken { throw .damaged }
  }

  /// Reads on: what follows ``end`` in the file.
  ///
  /// - Parameters:
  ///   - bytes: what follows, up to the end of the file.
  ///   - isFinal: whether what does not look like a stamp that is being written, at the end, is damage;
  ///     otherwise it is read again later.
  ///   - found: is given the id of each stamp.
  mutating func read(
    _ bytes: [UInt8],
    isFinal: Bool = true,
    _ found: (UInt64) -> Void = { _ in }
  ) {
    read(ByteReader(bytes), from: 0, isFinal: isFinal, found)
  }

  private mutating func read(
    _ reader: ByteReader,
    from start: Int,
    isFinal: Bool,
    _ found: (UInt64) -> Void
  ) {
    isDoubtful = false
    var offset = start
    let count = reader.bytes.count
    defer { end += offset - start }
    while offset < count {
      if let length = Self.wholeStamp(reader, at: offset) {
        if let id = add(reader, at: offset, length) { found(id) }
        offset += length
        continue
      }
      switch Self.gap(reader, at: offset, isFinal: isFinal) {
      case .unfinished(let next): offset = next
      case .damage(let hadTagOrScope, let next):
        ledger.addDamaged(hadTagOrScope: hadTagOrScope)
        damages += 1
        offset = next
      case .waiting: return
      case .doubtful: return isDoubtful = true
      case .broken: return isBroken = true
      }
    }
  }

  /// What begins where no whole stamp does.
  private enum Gap {
    /// What its writer never ended, up to the next stamp.
    case unfinished(next: Int)
    /// What was one stamp, or more.
    case damage(hadTagOrScope: Bool, next: Int)
    /// What may be a stamp soon.
    case waiting
    /// What has to be read once more.
    case doubtful
    case broken
  }

  private static func gap(_ reader: ByteReader, at offset: Int, isFinal: Bool) -> Gap {
    let count = reader.bytes.count
    let begun = begunStamp(reader, at: offset)
    let end = begun.map { offset + $0.length } ?? count
    let next = (offset + 1..<min(end, count)).first { wholeStamp(reader, at: $0) != nil }
    if let next, begun != nil { return .unfinished(next: next) }
    // Behind what was never ended somebody may be writing.
    let isWaiting =
      count - offset < begun?.length ?? fewestStampBytes
      || (offset + 1..<min(end, count, offset + (begun?.length ?? fewestStampBytes))).contains {
        beginning in
        begunStamp(reader, at: beginning).map { beginning + $0.length > count } ?? false
      }
    if let begun, end < count, beginsStamp(reader, at: end) {
      return .damage(hadTagOrScope: begun.kind & ~Kind.expires == 0, next: end)
    }
    if begun == nil, let next {
      return next - offset < fewestStampBytes
        ? .unfinished(next: next) : .damage(hadTagOrScope: false, next: next)
    }
    if begun != nil, end < count,
      let later = (end..<count).first(where: { wholeStamp(reader, at: $0) != nil })
    {
      return .damage(hadTagOrScope: false, next: later)
    }
    if isWaiting { return .waiting }
    if !isFinal { return .doubtful }
    return end == count && begun != nil ? .damage(hadTagOrScope: false, next: end) : .broken
  }

  /// Whether a file of this size is read at all; whoever writes one asks, too.
  static func admits(size: Int) -> Bool { size <= mostBytes }

  // MARK: Stamps

  /// The length of a stamp that is whole.
  private static func wholeStamp(_ reader: ByteReader, at offset: Int) -> Int? {
    guard let first = reader.word(at: offset) else { return nil }
    let length = Int(truncatingIfNeeded: first & UInt64(0xFFFF_FFFF))
    let kind = UInt16(truncatingIfNeeded: first >> 32)
    guard length >= fewestStampBytes, length <= mostStampBytes, length.isMultiple(of: 8),
      kind & ~Kind.all == 0, reader.has(length, at: offset),
      reader.word(at: offset + length - 8) == reader.checksum(from: offset, count: length - 8)
    else { return nil }
    return length
  }

  private static func beginsStamp(_ reader: ByteReader, at offset: Int) -> Bool {
    wholeStamp(reader, at: offset) != nil || begunStamp(reader, at: offset) != nil
  }

  /// What the first eight bytes say of a stamp that may not be whole.
  private static func begunStamp(
    _ reader: ByteReader,
    at offset: Int
  ) -> (length: Int, kind: UInt16)? {
    guard let first = reader.word(at: offset) else { return nil }
    let length = UInt32(truncatingIfNeeded: first)
    let kind = UInt16(truncatingIfNeeded: first >> 32)
    guard UInt16(truncatingIfNeeded: first >> 48) == check(length, kind),
      (UInt32(fewestStampBytes)...UInt32(mostStampBytes)).contains(length)
    else { return nil }
    return (Int(truncatingIfNeeded: length), kind)
  }

  /// Adds a whole stamp.
  ///
  /// - Returns: its id, if it has one.
  private mutating func add(_ reader: ByteReader, at offset: Int, _ length: Int) -> UInt64? {
    let kind = UInt16(truncatingIfNeeded: (reader.word(at: offset) ?? 0) >> 32)
    let place = reader.word(at: offset + 16) ?? 0
    guard Self.places.contains(place) else {
      ledger.addDamaged(hadTagOrScope: false)
      damages += 1
      return nil
    }
    if kind & Kind.isBase != 0 {
      ledger.raiseBase(to: place)
      return nil
    }
    if kind & Kind.areNumbers != 0 {
      for pair in stride(from: offset + Self.fixedStampBytes, to: offset + length - 16, by: 16) {
        guard let number = reader.word(at: pair), let place = reader.word(at: pair + 8),
          Self.places.contains(place), place > 0
        else { continue }
        ledger.add(number: number, at: place)
      }
      return nil
    }
    guard let stamp = Self.stamp(reader, at: offset, length, kind, place) else {
      ledger.addDamaged(hadTagOrScope: false)
      damages += 1
      return nil
    }
    ledger.add(stamp)
    return stamp.id
  }

  private static func stamp(
    _ reader: ByteReader,
    at offset: Int,
    _ length: Int,
    _ kind: UInt16,
    _ place: UInt64
  ) -> DiskLedger.Stamp? {
    let end = offset + length - 8
    var texts: [String] = []
    var next = offset + fixedStampBytes
    while let count = reader.half(at: next), next + 4 <= end, count != .max {
      guard let count = Int(exactly: count), count <= end - next - 4,
        let text = reader.text(at: next + 4, count: count)
      else { return nil }
      texts.append(text)
      next += 4 + count
    }
    guard !texts.isEmpty, let id = reader.word(at: offset + 8),
      let time = reader.signedWord(at: offset + 24),
      let staleIfError = reader.signedWord(at: offset + 32),
      let keepExpired = reader.signedWord(at: offset + 40)
    else { return nil }
    return DiskLedger.Stamp(
      subject: DiskLedger.Subject(namespace: texts.removeFirst(), tags: texts),
      verb: kind & Kind.expires == 0
        ? .remove : .expire(at: time, staleIfError: staleIfError, keepExpired: keepExpired),
      id: id,
      sequence: place
    )
  }

  // MARK: Writing

  /// The bytes of a whole file.
  static func bytes(of ledger: DiskLedger) -> [UInt8] {
    var stamps: [UInt8] = []
    if ledger.base > 0 {
      stamps += bytes(Kind.isBase, place: ledger.base, [])
    }
    var numbers = ArraySlice(ledger.numbers.sorted { $0.key < $1.key })
    while !numbers.isEmpty {
      var content: [UInt8] = []
      for (number, place) in numbers.prefix(numbersInAStamp) {
        content.append(littleEndian: number)
        content.append(littleEndian: place)
      }
      stamps += bytes(Kind.areNumbers, content)
      numbers = numbers.dropFirst(numbersInAStamp)
    }
    for stamp in ledger.stamps { stamps += bytes(of: stamp) }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: magic)
    bytes.append(littleEndian: version)
    bytes.append(littleEndian: UInt16(ledger.admitsUnmarked ? 1 : 0))
    bytes.append(littleEndian: ledger.epoch)
    bytes.append(littleEndian: ledger.sequence)
    bytes.append(littleEndian: ledger.floor)
    bytes.append(littleEndian: UInt32(headSize))
    bytes.append(littleEndian: UInt32(clamping: headSize + stamps.count))
    bytes.append(littleEndian: Checksum.of(bytes))
    return bytes + stamps
  }

  /// The bytes of one stamp.
  static func bytes(of stamp: DiskLedger.Stamp) -> [UInt8] {
    var text: [UInt8] = []
    for part in [stamp.subject.namespace] + stamp.subject.tags {
      text.append(littleEndian: UInt32(clamping: part.utf8.count))
      text += Array(part.utf8)
    }
    var kind: UInt16 = 0
    if stamp.subject.tags.isEmpty, !stamp.subject.namespace.contains(";") { kind |= Kind.isWhole }
    guard case .expire(let time, let staleIfError, let keepExpired) = stamp.verb else {
      return bytes(kind, id: stamp.id, place: stamp.sequence, text)
    }
    let times = (time, staleIfError, keepExpired)
    return bytes(kind | Kind.expires, id: stamp.id, place: stamp.sequence, times: times, text)
  }

  private static func bytes(
    _ kind: UInt16,
    id: UInt64 = 0,
    place: UInt64 = 0,
    times: (Int64, Int64, Int64) = (0, 0, 0),
    _ content: [UInt8]
  ) -> [UInt8] {
    // A length of 0xFFFFFFFF ends a list of texts; such bytes fill up to a multiple of eight.
    let length = max(fewestStampBytes, (fixedStampBytes + content.count + 7) / 8 * 8 + 8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes.append(littleEndian: UInt32(clamping: length))
    bytes.append(littleEndian: kind)
    bytes.append(littleEndian: check(UInt32(clamping: length), kind))
    bytes.append(littleEndian: id)
    bytes.append(littleEndian: place)
    bytes.append(littleEndian: times.0)
    bytes.append(littleEndian: times.1)
    bytes.append(littleEndian: times.2)
    bytes += content
    while bytes.count < length - 8 { bytes.append(0xFF) }
    bytes.append(littleEndian: Checksum.of(bytes))
    return bytes
  }

  /// By which the first eight bytes of a stamp are known without the others.
  private static func check(_ length: UInt32, _ kind: UInt16) -> UInt16 {
    let mixed = (UInt64(length) << 16 | UInt64(kind)) &* 0x9E37_79B9_7F4A_7C15
    return UInt16(truncatingIfNeeded: mixed >> 48)
  }
}

extension DiskLedger.Stamp {
  /// The same, or one that reaches further and is no longer than a stamp in a file may be.
  ///
  /// Of very many or very long tags together only the first count, as many as have room; for a single tag that
  /// has none, its namespace.
  var fitting: DiskLedger.Stamp {
    let room = DiskLedgerFile.mostStampBytes - 64
    var stamp = self
    var used = 4 + subject.namespace.utf8.count
    let kept = subject.tags.prefix { tag in
      used += 4 + tag.utf8.count
      return used <= room
    }
    stamp.subject.tags = Array(kept)
    return stamp
  }

  /// Whether it can be written at all; not where the namespace alone is too long.
  var fits: Bool { subject.namespace.utf8.count <= DiskLedgerFile.mostStampBytes - 128 }
}
