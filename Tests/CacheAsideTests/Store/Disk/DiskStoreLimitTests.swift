import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite struct DiskStoreLimitTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture

  init() throws { fixture = try DiskFixture(files: files) }

  private func payload(_ size: Int) -> [UInt8] { [UInt8](repeating: 1, count: size) }

  private func isStored(_ text: String, in store: DiskStore) throws -> Bool {
    try store.entryBlocking(for: diskKey(text)) != nil
  }

  @Test func `B054 overwriting counts once`() throws {
    let store = try fixture.open(limit: .megabytes(10))
    try store.setBlocking(fixture.entry([1]), for: diskKey("other"))
    let before = try store.diskUsage
    for _ in 0..<10 {
      try store.setBlocking(fixture.entry(payload(1_000_000)), for: diskKey("k"))
      #expect(abs(try store.diskUsage - before - 1_000_000) < 4_096)
    }
    #expect(try store.diskUsage == TemporaryFolder.size(of: fixture.path))
    try store.removeBlocking(diskKey("k"))
    #expect(try store.diskUsage == before)
    #expect(try isStored("other", in: store))
  }

  @Test func `B055 opening removes nothing and the limit is the one given`() async throws {
    let filler = try fixture.open(limit: .unlimited)
    for index in 0..<60 {
      try filler.setBlocking(fixture.entry(payload(10_000)), for: diskKey("\(index)"))
    }
    for _ in 0..<3 {
      files.resetCounts()
      let store = try fixture.open(limit: .bytes(1_000_000))
      #expect(files.calls == 1)
      for shard in 0..<256 { try store.sweep(shard) }
      #expect(try store.usageBlocking().entries == 60)
      await store.close()
    }
  }

  @Test func `B061 S5 the size holds at every instant, without a sweep`() throws {
    let store = try fixture.open(limit: .bytes(1_000_000))
    var most = 0
    for index in 0..<1_000 {
      fixture.clock.advance(by: .milliseconds(600))
      try store.setBlocking(fixture.entry(payload(10_000)), for: diskKey("\(index)"))
      most = max(most, try store.diskUsage)
    }
    #expect(most <= 1_000_000)
    #expect(try store.diskUsage == TemporaryFolder.size(of: fixture.path))
    #expect(try store.diskUsage > 750_000)
  }

  @Test func `evicts down to four fifths, the least recently used first`() throws {
    let store = try fixture.open(limit: .entries(10))
    for index in 0..<10 {
      fixture.clock.advance(by: .seconds(1))
      try store.setBlocking(fixture.entry([1]), for: diskKey("\(index)"))
    }
    fixture.clock.advance(by: .seconds(3_600))
    for text in ["0", "2"] { #expect(try isStored(text, in: store)) }
    try store.setBlocking(fixture.entry([1]), for: diskKey("new"))
    #expect(try store.usageBlocking().entries == 8)
    for text in ["1", "3", "4"] { #expect(try !isStored(text, in: store)) }
    for text in ["0", "2", "5", "9", "new"] { #expect(try isStored(text, in: store)) }
  }

  @Test func `what is expired goes before what is used least`() throws {
    let store = try fixture.open(limit: .entries(10))
    for index in 0..<10 {
      fixture.clock.advance(by: .seconds(1))
      let entry = fixture.entry([1], seconds: index >= 7 ? 60 : nil)
      try store.setBlocking(entry, for: diskKey("\(index)"))
    }
    fixture.clock.advance(by: .seconds(3_600))
    try store.setBlocking(fixture.entry([1]), for: diskKey("new"))
    for index in 0..<10 { #expect(try isStored("\(index)", in: store) == (index < 7)) }
  }

  @Test func `S5 a record above the limit is not stored, evicts nothing, removes its older one`()
    throws
  {
    let store = try fixture.open(limit: .bytes(10_000))
    for text in ["a", "b"] {
      try store.setBlocking(fixture.entry(payload(1_000)), for: diskKey(text))
    }
    try store.setBlocking(fixture.entry(payload(10_000)), for: diskKey("a"))
    #expect(try !isStored("a", in: store))
    #expect(try isStored("b", in: store))
    #expect(fixture.reported == [.rejected])
  }

  @Test(arguments: [DiskLimit.bytes(0), .entries(0), DiskLimit(age: .zero)])
  func `a limit of zero stores nothing`(limit: DiskLimit) throws {
    let store = try fixture.open(limit: limit)
    try store.setBlocking(fixture.entry([1]), for: diskKey("a"))
    #expect(try !isStored("a", in: store))
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
  }

  @Test(arguments: [
    DiskLimit.bytes(-1), .entries(-1), .megabytes(.min), DiskLimit(age: .seconds(-1)),
  ])
  func `a negative limit is refused`(limit: DiskLimit) throws {
    let error = #expect(throws: CacheError.self) { try fixture.open(limit: limit) }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test func `an entry above the age is a miss and is swept`() throws {
    let store = try fixture.open(limit: DiskLimit(age: .seconds(10)))
    try store.setBlocking(fixture.entry([1]), for: diskKey("a"))
    fixture.clock.advance(by: .milliseconds(9_999))
    #expect(try isStored("a", in: store))
    fixture.clock.advance(by: .milliseconds(1))
    #expect(try !isStored("a", in: store))
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
  }

  @Test func `a failed eviction is reported and the write stays`() throws {
    let store = try fixture.open(limit: .entries(1))
    try store.setBlocking(fixture.entry([1]), for: diskKey("a"))
    files.fail(.unlink, with: DiskStoreFaultTests.inputOutput)
    try store.setBlocking(fixture.entry([2]), for: diskKey("b"))
    #expect(fixture.reported == [.removalFailed])
    #expect(try isStored("b", in: store))
  }

  @Test func `a permanent store takes no limit and evicts nothing`() throws {
    let error = #expect(throws: CacheError.self) {
      try fixture.open(limit: .megabytes(1), isPermanent: true)
    }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test func `a record that was read last is the last to be evicted, within one tick too (B395)`()
    throws
  {
    let fixture = try DiskFixture()
    let store = try fixture.open(limit: .bytes(3_010_000))
    let entry = fixture.entry([UInt8](repeating: 1, count: 1_000_000))
    for name in ["1", "2", "3"] { try store.setBlocking(entry, for: diskKey(name)) }
    for name in ["1", "3"] { #expect(try store.entryBlocking(for: diskKey(name)) != nil) }
    try store.setBlocking(entry, for: diskKey("4"))
    #expect(try store.entryBlocking(for: diskKey("2")) == nil)
    #expect(try store.entryBlocking(for: diskKey("1")) == nil)
    for name in ["3", "4"] { #expect(try store.entryBlocking(for: diskKey(name)) != nil) }
  }

  @Test func `of very many uses the last are known, in bounded memory (B395)`() {
    let uses = DiskUses()
    for index in 0..<1_000 { uses.note("\(index)", in: 3, at: Int64(index)) }
    let known = (0..<1_000).filter { uses.use(of: DiskNote.checksum("\($0)"), in: 3) != nil }
    #expect(known.count <= DiskUses.mostNames)
    #expect(known == Array((1_000 - known.count)..<1_000))
    #expect(uses.use(of: DiskNote.checksum("999"), in: 3) == DiskUses.Use(time: 999, order: 1_000))
    #expect(uses.use(of: DiskNote.checksum("999"), in: 4) == nil)
  }

  @Test func `records that others changed in their place are counted as they are (B228)`() throws {
    let naming: @Sendable (CacheKey) -> String = { "00" + $0.fileName }
    let fixture = try DiskFixture()
    let store = try fixture.open(limit: .megabytes(10), naming: naming)
    for index in 0..<100 {
      try store.setBlocking(fixture.entry([1]), for: diskKey("\(index)"))
    }
    #expect(try store.removeExpiredBlocking() == 0)
    let system = POSIXFileSystem()
    for path in TemporaryFolder.filePaths(in: fixture.path) where !path.hasSuffix("/index") {
      let descriptor = try system.openToAppend(path)
      try system.write(descriptor, [UInt8](repeating: 0, count: 10_000))
      try system.close(descriptor)
    }
    for index in 0..<50 { try store.removeBlocking(diskKey("\(index)")) }
    #expect(try store.usageBlocking().bytes ?? -1 >= 0)
    #expect(store.totals.bytes >= 0)
    #expect(store.totals.entries == 50)
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.usageBlocking() == fixture.open(naming: naming).usageBlocking())
  }
}
