import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite struct DiskStoreMaintenanceTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  static let day: Int64 = 86_400_000_000

  init() throws { fixture = try DiskFixture(files: files) }

  private func fill(_ store: DiskStore, _ count: Int, seconds: Int64? = nil) throws {
    for index in 0..<count {
      try store.setBlocking(fixture.entry([1, 2], seconds: seconds), for: diskKey("k\(index)"))
    }
  }

  @Test(arguments: [DiskLimit.unlimited, .megabytes(1)])
  func `B051 a folder that was removed is made again and counted anew`(limit: DiskLimit) throws {
    let store = try fixture.open(limit: limit)
    try fill(store, 10)
    #expect(try store.usageBlocking().entries == 10)
    TemporaryFolder.removeTree(fixture.path)
    #expect(try store.entryBlocking(for: diskKey("k1")) == nil)
    #expect(try store.usageBlocking() == StoreUsage(entries: 0, bytes: 0))
    try store.setBlocking(fixture.entry([1, 2]), for: diskKey("k1"))
    #expect(try store.entryBlocking(for: diskKey("k1")) != nil)
    let usage = try store.usageBlocking()
    #expect(usage.entries == 1)
    #expect(usage.bytes == (try TemporaryFolder.size(of: fixture.path)))
    // Without a look at the usage in between.
    TemporaryFolder.removeTree(fixture.path)
    try store.setBlocking(fixture.entry([1, 2]), for: diskKey("k2"))
    #expect(try store.usageBlocking().entries == 1)
  }

  @Test func `B058 abandoned temporary files go, those of a living writer stay`() throws {
    let store = try fixture.open()
    try fill(store, 1)
    let now = fixture.clock.wallMicroseconds
    for index in 0..<50 {
      let path = "\(fixture.path)/tmp/99-a-\(index)"
      try TemporaryFolder.write([1, 2, 3], to: path, modified: now - 2 * Self.day)
    }
    let living = "\(fixture.path)/tmp/98-b-1"
    try TemporaryFolder.write([1, 2, 3, 4], to: living, modified: now - 1_000_000)
    try store.sweep(0)
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp") == ["98-b-1"])
    #expect(try store.diskUsage == TemporaryFolder.size(of: fixture.path))
  }

  @Test func `B059 S7 links in the folder are not followed`() throws {
    let store = try fixture.open()
    try fill(store, 5, seconds: 1)
    let outside = fixture.folder.path + "/outside"
    try POSIXFileSystem().makeDirectory(outside)
    let sentinel = outside + "/sentinel.txt"
    try TemporaryFolder.write([7, 7, 7], to: sentinel)
    let folder = try #require(TemporaryFolder.filePaths(in: fixture.path).first?.dropLast(65))
    let spare = try #require(
      (0..<256).map { String(0x100 + $0, radix: 16).dropFirst() }
        .first { (try? POSIXFileSystem().status(at: "\(fixture.path)/\($0)")) == nil }
    )
    func link() throws {
      try DiskModes.link("\(fixture.path)/\(spare)", to: outside)
      try DiskModes.link("\(folder)/directory", to: outside)
      try DiskModes.link("\(folder)/file", to: sentinel)
      try DiskModes.link("\(folder)/dangling", to: outside + "/nothing")
    }
    try link()
    #expect(try store.usageBlocking().entries == 5)
    fixture.clock.advance(by: .seconds(2))
    for shard in 0..<256 { try store.sweep(shard) }
    try? link()
    #expect(try store.removeExpiredBlocking() == 0)
    try fill(store, 5)
    try store.removeAllBlocking(in: nil)
    #expect(try TemporaryFolder.read(sentinel) == [7, 7, 7])
    #expect(TemporaryFolder.filePaths(in: fixture.path) == [fixture.path + "/ledger"])
    #expect(try store.diskUsage == 0)
  }

  @Test func `B059 a link in the place of a record is a miss and its target is not read`() throws {
    let store = try fixture.open()
    try fill(store, 1)
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    let outside = fixture.folder.path + "/record"
    try POSIXFileSystem().rename(path, to: outside)
    try DiskModes.link(path, to: outside)
    #expect(try store.entryBlocking(for: diskKey("k0")) == nil)
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
    #expect(try POSIXFileSystem().status(at: outside).kind == .file)
  }

  @Test func `a directory among the records disturbs nobody`() throws {
    let store = try fixture.open()
    try fill(store, 3, seconds: 1)
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    try POSIXFileSystem().makeDirectory(path + "x")
    #expect(try store.usageBlocking().entries == 3)
    fixture.clock.advance(by: .seconds(1))
    #expect(try store.removeExpiredBlocking() == 3)
    try store.removeAllBlocking(in: nil)
    #expect(try store.usageBlocking().entries == 0)
  }

  @Test func `B060 a folder that moved keeps its entries, and nothing names its place`() throws {
    try fill(try fixture.open(limit: .megabytes(1)), 100)
    let text = Array(fixture.folder.path.utf8)
    for path in TemporaryFolder.filePaths(in: fixture.path) {
      let bytes = try TemporaryFolder.read(path)
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: text) })
    }
    let moved = try DiskFixture(clock: fixture.clock)
    try POSIXFileSystem().rename(fixture.path, to: moved.path)
    let store = try moved.open()
    for index in 0..<100 { #expect(try store.entryBlocking(for: diskKey("k\(index)")) != nil) }
  }

  @Test func `B063 removing what is expired reads headers only`() throws {
    let store = try fixture.open()
    let payload = [UInt8](repeating: 1, count: 200_000)
    for index in 0..<100 {
      let entry = fixture.entry(payload, seconds: index % 2 == 0 ? 1 : nil)
      try store.setBlocking(entry, for: diskKey("\(index)"))
    }
    fixture.clock.advance(by: .seconds(1))
    files.resetCounts()
    // Another one than the writer, which need not read what it noted.
    let other = try fixture.open()
    #expect(try other.removeExpiredBlocking() == 50)
    #expect((1...(100 * 512)).contains(files.bytesRead))
    #expect(try other.usageBlocking().entries == 50)
  }

  @Test(arguments: [true, false])
  func `B065 a cleared store can be written and opened again`(keepingDirectory: Bool) throws {
    let store = try fixture.open()
    try fill(store, 10)
    try store.removeAll(keepingDirectory: keepingDirectory)
    let isThere = (try? POSIXFileSystem().status(at: fixture.path)) != nil
    #expect(isThere == keepingDirectory)
    #expect(try store.usageBlocking().entries == 0)
    try store.setBlocking(fixture.entry([1]), for: diskKey("k"))
    let reopened = try fixture.open()
    #expect(try reopened.entryBlocking(for: diskKey("k"))?.payload == [1])
    #expect(try reopened.usageBlocking().entries == 1)
  }

  @Test func `a sweep counts what another process changed`() throws {
    let store = try fixture.open(limit: .megabytes(1))
    try fill(store, 1)
    try fill(try fixture.open(), 20)
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.usageBlocking().entries == 20)
    #expect(try store.diskUsage == TemporaryFolder.size(of: fixture.path))
  }

  @Test func `a permanent store is swept only on request`() throws {
    let store = try fixture.open(limit: nil, isPermanent: true)
    try fill(store, 3, seconds: 1)
    fixture.clock.advance(by: .seconds(5))
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.usageBlocking().entries == 3)
    #expect(try store.removeExpiredBlocking() == 3)
  }
}
