import Testing

@testable import CacheAside

/// Numbers in files that no writer of ours wrote, under checksums that are right.
@Suite(.timeLimit(.minutes(60))) struct FileNumbersTests {
  static let extremes: [UInt64] = [
    0, 1, 47, 48, 64, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, .max / 2 - 1, .max / 2,
    .max / 2 + 1, UInt64(bitPattern: .min + 1), .max - 1, .max,
  ]

  let home = Namespace("feature")

  private func entry(_ mark: LoadMark?) -> CacheEntry {
    var entry = CacheEntry(payload: [1], codec: .raw, type: 1, created: 5)
    (entry.freshUntil, entry.keptUntil) = (1_000, 2_000)
    entry.metadata.tags = ["red"]
    entry.metadata.staleIfErrorEnd = 2_000
    entry.metadata.loadMark = mark
    return entry
  }

  /// The bytes with a number in the place of another, and the checksums right.
  private func changed(
    _ bytes: [UInt8],
    _ offset: Int,
    _ number: UInt64,
    sum: Int,
    over range: Range<Int>
  ) -> [UInt8] {
    var bytes = bytes
    bytes.store(littleEndian: number, at: offset)
    bytes.store(littleEndian: Checksum.of(Array(bytes[range])), at: sum)
    return bytes
  }

  /// Uses a ledger as a store does.
  private func use(_ file: DiskLedgerFile) {
    var ledger = file.ledger
    for mark in [nil, LoadMark(epoch: ledger.epoch, sequence: .max), ledger.mark] {
      _ = ledger.judged(entry(mark), in: home)
      _ = ledger.verdict(on: entry(mark), in: home)
    }
    for begin in Self.extremes { _ = ledger.stamps(since: begin) }
    for stamp in DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, .anyOf(["a"]), in: home)) {
      ledger.add(stamp)
    }
    _ = DiskLedgerFile.bytes(of: ledger.folded(to: 0, numbers: 0))
  }

  @Test func `no number in a ledger makes its reader trap (B383)`() throws {
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let expiry = StoreInvalidation.Verb.expire(at: 3, staleIfError: 5, keepExpired: 7)
    for tag in ["red", "blue"] as [CacheAside.Tag] {
      for verb in [expiry, .remove, expiry] {
        for stamp in DiskLedger.Stamp.stamps(of: StoreInvalidation(verb, .anyOf([tag]), in: home)) {
          ledger.add(stamp)
        }
      }
    }
    ledger = ledger.folded(to: 1)
    ledger.raiseBase(to: 1)
    let bytes = DiskLedgerFile.bytes(of: ledger)
    for number in Self.extremes {
      for offset in stride(from: 0, to: 40, by: 8) {
        let changed = changed(bytes, offset, number, sum: 40, over: 0..<40)
        if let file = try? DiskLedgerFile(changed) { use(file) }
      }
      var start = DiskLedgerFile.headSize
      while start < bytes.count {
        let length = Int(bytes[start]) | Int(bytes[start + 1]) << 8
        let end = start + length - 8
        for offset in stride(from: start, to: end, by: 4) where offset + 8 <= end {
          let changed = changed(bytes, offset, number, sum: end, over: start..<end)
          if let file = try? DiskLedgerFile(changed) { use(file) }
        }
        start += length
      }
    }
  }

  @Test func `a ledger whose sequence cannot go on is damaged (B383)`() throws {
    var bytes = DiskLedgerFile.bytes(of: .fresh(admitsUnmarked: true))
    bytes = changed(bytes, 16, .max, sum: 40, over: 0..<40)
    #expect(throws: DiskLedgerFile.Fault.damaged) { try DiskLedgerFile(bytes) }
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try store.setBlocking(fixture.entry([1]), for: diskKey("k"))
    try TemporaryFolder.write(bytes, to: fixture.path + "/ledger")
    let invalidation = StoreInvalidation(.remove, .anyOf(["red"]), in: home)
    for store in [store, try fixture.open()] {
      #expect(try store.entryBlocking(for: diskKey("k")) == nil)
      try store.invalidateBlocking(invalidation)
    }
    #expect(fixture.reported == [.recordDamaged])
  }

  @Test func `no number in an index makes the store trap (B383)`() throws {
    let naming: @Sendable (CacheKey) -> String = { "00" + $0.fileName }
    let fixture = try DiskFixture()
    let writer = try fixture.open(naming: naming)
    for index in 0..<40 {
      try writer.setBlocking(fixture.entry([1], seconds: 1_000), for: diskKey("\(index)"))
    }
    #expect(try writer.removeExpiredBlocking() == 0)
    let path = writer.layout.indexPath(ofShard: 0)
    let bytes = try TemporaryFolder.read(path)
    for number in Self.extremes {
      for field in 1..<8 {
        var changed = bytes
        for note in stride(from: DiskIndexFile.headSize, to: bytes.count, by: 64) where field > 1 {
          changed.store(littleEndian: number, at: note + 8 * field)
        }
        if field == 1 { changed.store(littleEndian: number, at: 8) }
        changed.store(littleEndian: 0, at: 16)
        changed.store(littleEndian: Checksum.of(changed), at: 16)
        try TemporaryFolder.write(changed, to: path)
        let store = try fixture.open(limit: .bytes(2_000), naming: naming)
        _ = try store.usageBlocking()
        _ = try store.removeExpiredBlocking()
        try store.setBlocking(fixture.entry([1], seconds: 1_000), for: diskKey("new"))
        try store.sweep(0)
        #expect(try store.usageBlocking().bytes ?? -1 >= 0)
      }
    }
  }

  @Test func `no number in a record makes its reader trap (B383)`() throws {
    let fixture = try DiskFixture()
    let store = try fixture.open(limit: DiskLimit(bytes: 100_000, age: .seconds(100)))
    let key = diskKey("k")
    try store.invalidateBlocking(
      StoreInvalidation(.remove, .anyOf(["t"]), in: Namespace("feature"))
    )
    let mark = try #require(store.loadMark)
    var whole = entry(mark)
    whole.metadata.idleInterval = 5
    whole.metadata.staleWhileRevalidateEnd = 5
    whole.metadata.loadTime = 5
    try store.setBlocking(whole, for: key)
    let path = store.layout.place(of: key).path
    let bytes = try TemporaryFolder.read(path)
    let header = try EnvelopeHeader(bytes)
    let cache = try Cache<String, [UInt8]>(name: "feature", expiry: .seconds(5)) { Store(store) }
    for number in Self.extremes {
      for offset in stride(from: 8, to: header.valueOffset, by: 4)
      where !(56..<80).contains(offset) && offset + 8 <= header.valueOffset {
        var changed = bytes
        changed.store(littleEndian: number, at: offset)
        unsafe changed.withUnsafeMutableBytes { bytes in
          unsafe EnvelopeHeader.seal(
            UnsafeMutableRawBufferPointer(rebasing: bytes[..<header.valueOffset])
          )
        }
        try TemporaryFolder.write(changed, to: path)
        _ = try store.entryBlocking(for: key)
        _ = cache["k"]
        try TemporaryFolder.write(changed, to: path)
        try store.sweep(store.layout.place(of: key).shard)
        _ = try store.removeExpiredBlocking(includingKept: true)
      }
    }
  }

  @Test func `no number in a memory file makes its reader trap (B383)`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/memory"
    try MemoryFile(path).write(mark: 7) { add in
      for key in ["a", "b"] {
        try add(try Envelope.encode(entry(nil), key: CacheKey(text: key, namespace: home).bytes))
      }
    }
    let bytes = try TemporaryFolder.read(path)
    for number in Self.extremes {
      for offset in stride(from: 8, to: bytes.count - 8, by: 4) {
        var changed = bytes
        changed.store(littleEndian: number, at: offset)
        try TemporaryFolder.write(changed, to: path)
        var count = 0
        #expect(try MemoryFile(path).read({ _, _ in count += 1 }, onDamage: {}))
        #expect(count <= 2)
      }
    }
  }

  @Test func `what a reader takes for no record is not written`() throws {
    for created in [Int64.min, .max] {
      var entry = entry(nil)
      entry.created = created
      #expect(throws: EnvelopeError.times) { try Envelope.encode(entry, key: [1]) }
    }
    var ended = entry(nil)
    ended.keptUntil = .min
    #expect(throws: EnvelopeError.times) { try Envelope.encode(ended, key: [1]) }
  }
}
