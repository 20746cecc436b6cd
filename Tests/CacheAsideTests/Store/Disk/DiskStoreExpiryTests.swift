import Testing

@testable import CacheAside

@Suite struct DiskStoreExpiryTests {
  let fixture: DiskFixture
  let store: DiskStore
  let key = diskKey("k")

  init() throws {
    fixture = try DiskFixture()
    store = try fixture.open()
  }

  @Test func `B021 what never expires is there after a hundred years`() throws {
    try store.setBlocking(fixture.entry([1]), for: key)
    for _ in 0..<100 { fixture.clock.advance(by: .seconds(365 * 86_400)) }
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.removeExpiredBlocking() == 0)
    #expect(try store.entryBlocking(for: key)?.freshUntil == .max)
  }

  @Test(arguments: [500, 10_000, 2_592_000_000] as [Int64])
  func `B022 B024 an entry is removed at its end and not a microsecond before`(life: Int64) throws {
    var entry = fixture.entry([1])
    entry.freshUntil = entry.created + life * 1_000
    entry.keptUntil = entry.freshUntil
    try store.setBlocking(entry, for: key)
    fixture.clock.advance(by: .milliseconds(life) - .microseconds(1))
    #expect(try store.removeExpiredBlocking() == 0)
    #expect(try store.entryBlocking(for: key) == entry)
    fixture.clock.advance(by: .microseconds(1))
    #expect(try store.removeExpiredBlocking() == 1)
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `B027 B028 reading changes no deadline`() throws {
    let entry = fixture.entry([1], seconds: 10)
    try store.setBlocking(entry, for: key)
    for _ in 0..<9 {
      fixture.clock.advance(by: .seconds(1))
      #expect(try store.entryBlocking(for: key) == entry)
    }
    fixture.clock.advance(by: .seconds(1))
    // Of any age, until it is swept: freshness is for the cache to judge.
    #expect(try store.entryBlocking(for: key) == entry)
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `an entry kept for stale use outlives its freshness`() throws {
    try store.setBlocking(fixture.entry([1], seconds: 10, keptSeconds: 60), for: key)
    fixture.clock.advance(by: .seconds(30))
    #expect(try store.removeExpiredBlocking() == 0)
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.entryBlocking(for: key) != nil)
    fixture.clock.advance(by: .seconds(30))
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `B031 local time has no part in it`() async throws {
    await #expect(processExitsWith: .success) {
      DiskModes.setTimeZone("Europe/Berlin")
      // In the hour that comes twice.
      let clock = DiskClock(wall: 1_729_990_800_000_000)
      let fixture = try DiskFixture(clock: clock)
      let store = try fixture.open()
      let entry = fixture.entry([1], seconds: 60)
      try store.setBlocking(entry, for: diskKey("k"))
      let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
      var moment: [UInt8] = []
      moment.append(littleEndian: Int64(1_729_990_860_000_000))
      try #require(Array(try TemporaryFolder.read(path)[48..<56]) == moment)
      clock.advance(by: .seconds(61))
      try #require(try store.entryBlocking(for: diskKey("k")) == entry)
      try #require(try store.removeExpiredBlocking() == 1)
    }
  }

  @Test(arguments: [false, true])
  func `a record from the future leaves when it is judged, and never comes back (B213)`(
    byRead: Bool
  ) throws {
    var entry = fixture.entry([1], seconds: 60)
    entry.created += 3_600_000_000
    entry.freshUntil += 3_600_000_000
    entry.keptUntil += 3_600_000_000
    try store.setBlocking(entry, for: key)
    let other = try fixture.open()
    if byRead {
      #expect(try other.entryBlocking(for: key) == nil)
    } else {
      #expect(try other.removeExpiredBlocking() == 1)
    }
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
    fixture.clock.advance(by: .seconds(3_601))
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `a permanent store sets a record from the future aside (B213)`() throws {
    let store = try fixture.open(isPermanent: true)
    var entry = fixture.entry([1])
    entry.created += 3_600_000_000
    try store.setBlocking(entry, for: key)
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try POSIXFileSystem().list(store.layout.asideFolder).count == 1)
  }
}
