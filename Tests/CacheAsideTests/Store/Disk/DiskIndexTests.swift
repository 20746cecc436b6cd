import CacheAsideTesting
import Testing

@testable import CacheAside

/// What the index saves, and what it may not decide.
@Suite(.timeLimit(.minutes(60))) struct DiskIndexTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture

  init() throws { fixture = try DiskFixture(files: files) }

  /// Calls that are made for one file after another.
  private var looks: Int {
    [FileCall.open, .read, .status, .statusOfFile].map { files.count(of: $0) }.reduce(0, +)
  }

  /// Names that lie in a few folders, so that a few entries make an index.
  private static func naming(_ key: CacheKey) -> String { "0" + key.fileName }

  private func open(limit: DiskLimit = .unlimited) throws -> DiskStore {
    try fixture.open(limit: limit, naming: Self.naming)
  }

  private func fill(_ store: DiskStore, _ range: Range<Int>, seconds: Int64? = nil) throws {
    for index in range {
      try store.setBlocking(fixture.entry([1, 2], seconds: seconds), for: diskKey("k\(index)"))
    }
  }

  private var indexes: [String] {
    TemporaryFolder.filePaths(in: fixture.path).filter { $0.hasSuffix("/index") }
  }

  @Test func `expiring ten of a thousand entries looks at those ten`() throws {
    let store = try open()
    try fill(store, 0..<990)
    try fill(store, 990..<1_000, seconds: 1)
    fixture.clock.advance(by: .seconds(1))
    files.resetCounts()
    #expect(try store.removeExpiredBlocking() == 10)
    #expect(looks <= 10 * 7)
    // The next process knows them from the indexes.
    #expect(indexes.count == 16)
    let next = try open()
    try fill(next, 0..<10, seconds: 1)
    fixture.clock.advance(by: .seconds(1))
    files.resetCounts()
    #expect(try next.removeExpiredBlocking() == 10)
    #expect(looks <= 10 * 7 + 16 * 4)
  }

  @Test func `evicting looks at what is evicted`() throws {
    let store = try open(limit: .entries(1_000))
    for index in 0..<1_000 {
      fixture.clock.advance(by: .milliseconds(1))
      try fill(store, index..<(index + 1))
    }
    files.resetCounts()
    try fill(store, 1_000..<1_001)
    #expect(try store.usageBlocking().entries == 800)
    #expect(looks <= 201 + 16 * 4 + 10)
    for index in [201, 1_000] { #expect(try store.entryBlocking(for: diskKey("k\(index)")) != nil) }
    #expect(try store.entryBlocking(for: diskKey("k200")) == nil)
  }

  @Test func `counting a folder that was indexed asks about no file`() throws {
    try fill(try open(), 0..<1_000)
    #expect(try open().usageBlocking().entries == 1_000)
    #expect(indexes.count == 16)
    files.resetCounts()
    let usage = try open(limit: .entries(5_000)).usageBlocking()
    #expect(usage.entries == 1_000)
    #expect(looks <= 16 * 4 + 10)
    #expect(usage.bytes == (try recordBytes()))
  }

  private func recordBytes() throws -> Int {
    try TemporaryFolder.size(of: fixture.path)
      - indexes.reduce(0) { try $0 + POSIXFileSystem().status(at: $1).size }
  }

  @Test func `what another process replaced is looked at, whatever the index says`() throws {
    let (store, other) = (try open(limit: .entries(2_000)), try open(limit: .entries(2_000)))
    try fill(store, 0..<1_000)
    #expect(try store.removeExpiredBlocking() == 0)
    // Neither known to the indexes nor to the first store.
    try fill(other, 0..<20, seconds: 1)
    try fill(other, 1_000..<1_020, seconds: 1)
    fixture.clock.advance(by: .seconds(1))
    #expect(try store.removeExpiredBlocking() == 40)
    #expect(try store.usageBlocking().entries == 980)
    for index in 20..<1_000 {
      #expect(try store.entryBlocking(for: diskKey("k\(index)")) != nil)
    }
  }

  @Test func `what the index says is due stays when its header says otherwise`() throws {
    let store = try open()
    try fill(store, 0..<1_000)
    let entry = fixture.entry([1])
    for index in 0..<1_000 {
      let place = store.layout.place(of: diskKey("k\(index)"))
      var note = DiskNote(place.name, try POSIXFileSystem().status(at: place.path))
      note.keptUntil = entry.created - 1
      // Somebody touched the file, or replaced it by another one with the same number.
      if index % 2 == 0 { note.changed -= 1 } else { note.size += 1 }
      store.diskIndex.add([note], in: place.shard, at: fixture.clock.wallMicroseconds)
    }
    #expect(try store.removeExpiredBlocking() == 0)
    #expect(try store.usageBlocking().entries == 1_000)
    files.resetCounts()
    // Once looked at, they are known.
    #expect(try store.removeExpiredBlocking() == 0)
    #expect(looks <= 16 * 4)
  }

  @Test func `a wrong note keeps a dead record for a day at most`() throws {
    let store = try open()
    try fill(store, 0..<1_000, seconds: 1)
    for index in 0..<1_000 {
      let place = store.layout.place(of: diskKey("k\(index)"))
      let status = try POSIXFileSystem().status(at: place.path)
      let note = DiskNote(place.name, status, created: 0, freshUntil: .max, keptUntil: .max)
      store.diskIndex.add([note], in: place.shard, at: fixture.clock.wallMicroseconds)
    }
    fixture.clock.advance(by: .seconds(2))
    #expect(try store.removeExpiredBlocking() == 0)
    #expect(indexes.count == 16)
    fixture.clock.advance(by: .seconds(86_400))
    #expect(try store.removeExpiredBlocking() == 1_000)
    #expect(try store.usageBlocking().entries == 0)
  }

  @Test func `an entry that was read lately outlives those that were not, by any process`() throws {
    let (store, other) = (try open(limit: .entries(100)), try open())
    try fill(store, 0..<100)
    fixture.clock.advance(by: .seconds(3_600))
    for index in 0..<20 { _ = try other.entryBlocking(for: diskKey("k\(index)")) }
    try fill(store, 100..<101)
    for index in 0..<20 { #expect(try store.entryBlocking(for: diskKey("k\(index)")) != nil) }
    #expect(try store.usageBlocking().entries == 80)
  }

  @Test func `a shard that shrank has no index, and an emptied store has a ledger alone`()
    throws
  {
    let store = try open()
    try fill(store, 0..<1_000)
    #expect(try store.removeExpiredBlocking() == 0)
    #expect(indexes.count == 16)
    try store.removeAllBlocking(in: nil)
    #expect(TemporaryFolder.filePaths(in: fixture.path) == [fixture.path + "/ledger"])
    try fill(store, 0..<1_000, seconds: 1)
    #expect(try store.removeExpiredBlocking() == 0)
    fixture.clock.advance(by: .seconds(1))
    #expect(try store.removeExpiredBlocking() == 1_000)
    #expect(try store.removeExpiredBlocking() == 0)
    #expect(TemporaryFolder.filePaths(in: fixture.path) == [fixture.path + "/ledger"])
  }

  @Test func `what was written and expired between two sweeps rewrites no index`() throws {
    let store = try open()
    try fill(store, 0..<1_000)
    #expect(try store.removeExpiredBlocking() == 0)
    try fill(store, 1_000..<2_000, seconds: 1)
    fixture.clock.advance(by: .seconds(1))
    files.resetCounts()
    #expect(try store.removeExpiredBlocking() == 1_000)
    #expect(files.count(of: .create) == 0)
    // What stays is saved as before.
    try fill(store, 1_000..<2_000)
    #expect(try store.removeExpiredBlocking() == 0)
    files.resetCounts()
    #expect(try open(limit: .entries(5_000)).usageBlocking().entries == 2_000)
    #expect(looks <= 16 * 4 + 10)
  }

  @Test func `notes in memory are bounded and believed for a day`() throws {
    let index = DiskIndex()
    let note = DiskNote("name", try POSIXFileSystem().status(at: fixture.folder.path))
    for _ in 0..<1_000 { index.note(note, in: 3, at: 10) }
    let day = DiskIndex.trustInterval
    #expect(index.notes(in: 3, at: 10 + day - 1).notes.count == 512)
    #expect(index.take(atLeast: 513, in: 3) { _ in true }?.notes.count == nil)
    #expect(index.notes(in: 4, at: 10).notes.isEmpty)
    #expect(index.notes(in: 3, at: 10 + day).notes.isEmpty)
    #expect(DiskIndex.believes(5, at: 5))
    for moment in [6, .max, .min] as [Int64] { #expect(!DiskIndex.believes(moment, at: 5)) }
  }
}
