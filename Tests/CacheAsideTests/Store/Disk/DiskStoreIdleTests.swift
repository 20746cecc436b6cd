import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite struct DiskStoreIdleTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let store: DiskStore
  let key = diskKey("k")

  init() throws {
    fixture = try DiskFixture(files: files)
    store = try fixture.open()
    var entry = fixture.entry([1], seconds: 1_000)
    entry.metadata.idleInterval = 100_000_000_000
    try store.setBlocking(entry, for: key)
    files.resetCounts()
  }

  private var isFresh: Bool {
    get throws {
      let now = fixture.clock.wallMicroseconds
      return try store.entryBlocking(for: key).map { $0.freshUntil > now } ?? false
    }
  }

  private func status() throws -> FileStatus {
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    return try POSIXFileSystem().status(at: path)
  }

  @Test func `a read keeps an idle entry fresh, and at most until its end`() throws {
    for _ in 0..<11 {
      fixture.clock.advance(by: .seconds(90))
      #expect(try isFresh)
    }
    fixture.clock.advance(by: .seconds(10))
    #expect(try !isFresh)
  }

  @Test func `an entry that nobody reads ends with its interval, and no read revives it`() throws {
    fixture.clock.advance(by: .seconds(99))
    #expect(try isFresh)
    fixture.clock.advance(by: .seconds(100))
    #expect(try !isFresh)
    #expect(try !isFresh)
    #expect(
      try fixture.open().entryBlocking(for: key)?.freshUntil == fixture.clock.wallMicroseconds
    )
    #expect(try store.removeExpiredBlocking() == 1)
    #expect(try store.usageBlocking().entries == 0)
  }

  @Test func `a read writes the access time once a quarter of the interval, and no other time`()
    throws
  {
    let before = try status()
    for _ in 0..<20 {
      fixture.clock.advance(by: .seconds(2))
      #expect(try isFresh)
    }
    #expect(files.count(of: .setTimes) == 1)
    #expect(try status().accessed == before.accessed + 26_000_000)
    #expect(try status().modified == before.modified)
  }

  @Test func `where the access time cannot be set, the entry ends as if never read`() throws {
    files.fail(.setTimes, with: DiskStoreFaultTests.notPermitted)
    fixture.clock.advance(by: .seconds(60))
    #expect(try isFresh)
    fixture.clock.advance(by: .seconds(40))
    #expect(try !isFresh)
    #expect(fixture.reported.isEmpty)
  }

  @Test func `what follows the end moves along with it, however far it reaches`() {
    var entry = CacheEntry(
      payload: nil,
      codec: .raw,
      type: 1,
      created: -1_000,
      freshUntil: -10,
      keptUntil: .max - 1
    )
    entry.metadata.idleInterval = 5_000
    entry.metadata.staleIfErrorEnd = 20
    entry.endWhenUnused(since: -1_000, 0)
    #expect(entry.freshUntil == -995)
    #expect(entry.metadata.staleIfErrorEnd == -965)
    #expect(entry.keptUntil == .max - 1)
  }

  @Test func `an access time of the future or the past counts as now or as the storing`() throws {
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    func touch(_ moment: Int64) throws {
      let descriptor = try POSIXFileSystem().open(path)
      try POSIXFileSystem().setAccessTime(descriptor, moment)
      try POSIXFileSystem().close(descriptor)
    }
    try touch(0)
    fixture.clock.advance(by: .seconds(99))
    #expect(try isFresh)
    let now = fixture.clock.wallMicroseconds
    try touch(now + 900_000_000)
    #expect(try isFresh)
    // That read set it right.
    fixture.clock.advance(by: .seconds(100))
    #expect(try !isFresh)
  }
}
