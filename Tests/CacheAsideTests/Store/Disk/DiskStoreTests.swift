import Testing

@testable import CacheAside

@Suite struct DiskStoreTests {
  let fixture: DiskFixture
  let store: DiskStore

  init() throws {
    fixture = try DiskFixture()
    store = try fixture.open()
  }

  @Test func `gives back what was written`() throws {
    var entry = fixture.entry([1, 2, 3], seconds: 60, keptSeconds: 90)
    entry.schema = 4
    entry.isExpiredByHand = true
    entry.metadata[.tags] = [9, 9]
    entry.metadata[.init(rawValue: 4_000)] = [1]
    try store.setBlocking(entry, for: diskKey("a"))
    #expect(try store.entryBlocking(for: diskKey("a")) == entry)
    #expect(try fixture.open().entryBlocking(for: diskKey("a")) == entry)
  }

  @Test func `tells nil from no bytes and from absent`() throws {
    try store.setBlocking(fixture.entry(nil), for: diskKey("nil"))
    try store.setBlocking(fixture.entry([]), for: diskKey("empty"))
    let absent = try store.entryBlocking(for: diskKey("nil"))
    #expect(absent != nil && absent?.payload == nil)
    #expect(try store.entryBlocking(for: diskKey("empty"))?.payload == [])
    #expect(try store.entryBlocking(for: diskKey("other")) == nil)
  }

  @Test(arguments: [0, 1, 431, 432, 65_000, 65_536, 65_537, 300_000])
  func `keeps payloads of any size`(size: Int) throws {
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let key = diskKey(String(repeating: "k", count: 700))
    try store.setBlocking(fixture.entry(payload), for: key)
    #expect(try store.entryBlocking(for: key)?.payload == payload)
  }

  @Test func `overwrites, and removes once and again`() throws {
    try store.setBlocking(fixture.entry([1]), for: diskKey("a"))
    try store.setBlocking(fixture.entry([2]), for: diskKey("a"))
    #expect(try store.entryBlocking(for: diskKey("a"))?.payload == [2])
    try store.removeBlocking(diskKey("a"))
    try store.removeBlocking(diskKey("a"))
    #expect(try store.entryBlocking(for: diskKey("a")) == nil)
  }

  @Test func `B044 K2 two keys with one digest do not meet`() throws {
    let store = try fixture.open { _ in "00" }
    try store.setBlocking(fixture.entry([1]), for: diskKey("a"))
    #expect(try store.entryBlocking(for: diskKey("b")) == nil)
    #expect(try store.entryBlocking(for: diskKey("a"))?.payload == [1])
    try store.setBlocking(fixture.entry([2]), for: diskKey("b"))
    #expect(try store.entryBlocking(for: diskKey("a")) == nil)
    #expect(try store.entryBlocking(for: diskKey("b"))?.payload == [2])
  }

  @Test func `removes a namespace and no other`() throws {
    for text in ["x", "y"] {
      try store.setBlocking(fixture.entry([1]), for: diskKey(text, "users"))
      try store.setBlocking(fixture.entry([2]), for: diskKey(text, "users2"))
    }
    #expect(try store.usageBlocking(in: Namespace("users")).entries == 2)
    try store.removeAllBlocking(in: Namespace("users"))
    #expect(try store.entryBlocking(for: diskKey("x", "users")) == nil)
    #expect(try store.entryBlocking(for: diskKey("y", "users2"))?.payload == [2])
    #expect(try store.usageBlocking().entries == 2)
  }

  @Test func `lists the entries of a namespace and of all`() async throws {
    for text in ["x", "y"] {
      try store.setBlocking(fixture.entry([1]), for: diskKey(text, "users"))
      try store.setBlocking(fixture.entry([2]), for: diskKey(text, "feeds"))
    }
    var found: Set<CacheKey> = []
    try store.scanBlocking(Namespace("feeds")) { key, entry in
      found.insert(key)
      return entry.payload == [2]
    }
    #expect(found == [diskKey("x", "feeds"), diskKey("y", "feeds")])
    try await store.scan(nil) { key, _ in
      found.insert(key)
      return true
    }
    #expect(found.count == 4)
    var visited = 0
    try store.scanBlocking(nil) { _, _ in
      visited += 1
      return false
    }
    #expect(visited == 1)
  }

  @Test func `S7 files and folders are private to the user`() throws {
    try store.setBlocking(fixture.entry([1]), for: diskKey("a"))
    #expect(store.capabilities.contains(.compareAndDelete))
    let file = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    #expect(try DiskModes.mode(of: file) == 0o600)
    #expect(try DiskModes.mode(of: fixture.path) == 0o700)
    #expect(try DiskModes.mode(of: fixture.path + "/tmp") == 0o700)
    #expect(try DiskModes.mode(of: String(file.prefix(fixture.path.count + 3))) == 0o700)
  }
}
