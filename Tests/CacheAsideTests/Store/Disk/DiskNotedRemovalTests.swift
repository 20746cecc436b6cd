import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// What removing a record by its note costs, and which records it may not take.
@Suite(.timeLimit(.minutes(60))) struct DiskNotedRemovalTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture

  init() throws { fixture = try DiskFixture(files: files) }

  /// Names that lie in 16 folders.
  private static func naming(_ key: CacheKey) -> String { "0" + key.fileName }

  private func open(
    limit: DiskLimit = .unlimited,
    isPermanent: Bool = false
  ) throws -> DiskStore {
    try fixture.open(limit: limit, isPermanent: isPermanent, naming: Self.naming)
  }

  private func openOther() throws -> DiskStore {
    try DiskFixture(fixture.folder, clock: fixture.clock).open(naming: Self.naming)
  }

  private func fill(_ store: DiskStore, _ count: Int, seconds: Int64? = nil) throws {
    for index in 0..<count {
      try store.setBlocking(fixture.entry([1, 2], seconds: seconds), for: diskKey("k\(index)"))
    }
  }

  /// That so many were removed by one look and one unlink each, after a look for the ledger under
  /// each of its names.
  private func expectFewCalls(_ removed: Int, lists: Int, looks: Int = 0) {
    #expect(files.count(of: .status) == removed + looks + 2)
    #expect(files.count(of: .unlink) == removed)
    #expect(files.count(of: .list) == lists)
    for call: FileCall in [.read, .link] { #expect(files.count(of: call) == 0) }
    expectOpenFoldersOnly()
  }

  /// That each of the 16 folders was opened once at most, one at a time, and no record; the write that
  /// evicts has its file open as well.
  private func expectOpenFoldersOnly() {
    #expect(files.count(of: .open) <= 16)
    #expect(files.mostOpenDescriptors <= 2)
    #expect(files.openDescriptors == 0)
  }

  @Test func `expiring what was noted costs a look and an unlink for each`() throws {
    let store = try open()
    try fill(store, 300, seconds: 1)
    fixture.clock.advance(by: .seconds(1))
    files.resetCounts()
    #expect(try store.removeExpiredBlocking() == 300)
    // The store's folder, and each of the 16 with the one for temporary files.
    expectFewCalls(300, lists: 1 + 2 * 16)
    #expect(try store.usageBlocking().entries == 0)
  }

  @Test func `evicting costs a look and an unlink for each`() throws {
    let store = try open(limit: .entries(300))
    try fill(store, 300)
    files.resetCounts()
    try store.setBlocking(fixture.entry([1, 2]), for: diskKey("new"))
    #expect(try store.usageBlocking().entries == 240)
    // The look is at the folder, for the usage.
    expectFewCalls(61, lists: 1 + 16 + 1, looks: 1)
  }

  @Test func `eviction removes first what has expired, without opening it`() throws {
    let store = try open(limit: .entries(300))
    try fill(store, 300, seconds: 60)
    for index in 0..<250 {
      try store.setBlocking(fixture.entry([1, 2]), for: diskKey("k\(index)"))
    }
    fixture.clock.advance(by: .seconds(60))
    files.resetCounts()
    try store.setBlocking(fixture.entry([1, 2]), for: diskKey("new"))
    #expect(files.count(of: .read) == 0)
    for index in [0, 249, 250, 299] {
      let isStored = try store.entryBlocking(for: diskKey("k\(index)")) != nil
      #expect(isStored == (index == 249))
    }
  }

  @Test func `what was read by the same store expires without being opened`() throws {
    let store = try open()
    try fill(store, 300, seconds: 3_600)
    fixture.clock.advance(by: .seconds(1_800))
    for index in 0..<300 { _ = try store.entryBlocking(for: diskKey("k\(index)")) }
    #expect(files.count(of: .setTimes) == 600)
    fixture.clock.advance(by: .seconds(1_800))
    files.resetCounts()
    #expect(try store.removeExpiredBlocking() == 300)
    expectFewCalls(300, lists: 1 + 2 * 16)
  }

  @Test func `a record is noted when it has its name`() throws {
    let store = try open()
    try fill(store, 1)
    let renames = Atomic<Int>(-1)
    files.resetCounts()
    files.before(.statusOfFile) { [files] _ in
      renames.store(files.count(of: .rename), ordering: .relaxed)
    }
    try fill(store, 1)
    #expect(renames.load(ordering: .relaxed) == 1)
    #expect(files.count(of: .statusOfFile) == 1)
  }

  @Test func `a note that could not be made fails no write`() throws {
    let store = try open()
    files.fail(.statusOfFile, with: DiskStoreFaultTests.inputOutput)
    try fill(store, 10, seconds: 1)
    files.heal()
    #expect(try store.usageBlocking().entries == 10)
    fixture.clock.advance(by: .seconds(1))
    #expect(try store.removeExpiredBlocking() == 10)
  }

  @Test(arguments: [false, true])
  func `a record that was replaced after the listing stays`(isEvicting: Bool) throws {
    let store = try open(limit: isEvicting ? .entries(1) : .unlimited)
    let other = try openOther()
    let key = diskKey("k0")
    try fill(store, 1, seconds: 1)
    let path = store.layout.place(of: key).path
    let newer = fixture.entry([3])
    fixture.clock.advance(by: .seconds(1))
    files.before(.status) { found in
      if found == path { _ = try? other.setBlocking(newer, for: key) }
    }
    if isEvicting {
      try store.setBlocking(fixture.entry([1]), for: diskKey("new"))
    } else {
      #expect(try store.removeExpiredBlocking() == 0)
    }
    files.heal()
    #expect(try store.entryBlocking(for: key) == newer)
  }

  @Test func `a record that somebody else removed first is not counted`() throws {
    let store = try open()
    try fill(store, 10, seconds: 1)
    #expect(try store.usageBlocking().entries == 10)
    fixture.clock.advance(by: .seconds(1))
    files.before(.unlink) { path in
      if let path { try? POSIXFileSystem().unlink(path) }
    }
    #expect(try store.removeExpiredBlocking() == 0)
    files.heal()
    #expect(try store.usageBlocking() == StoreUsage(entries: 0, bytes: 0))
  }

  @Test(arguments: [false, true])
  func `a folder that vanishes or is swapped for a link costs no foreign file`(
    isSwapped: Bool
  ) throws {
    let store = try open(limit: .entries(1))
    try fill(store, 1)
    let place = store.layout.place(of: diskKey("k0"))
    let shard = store.layout.folder(ofShard: place.shard)
    let elsewhere = fixture.folder.path + "/elsewhere"
    files.before(.open) { found in
      guard found == shard else { return }
      try? POSIXFileSystem().rename(shard, to: elsewhere)
      if isSwapped { try? DiskModes.link(shard, to: elsewhere) }
    }
    try store.setBlocking(fixture.entry([1]), for: diskKey("new"))
    files.heal()
    #expect(try POSIXFileSystem().status(at: elsewhere + "/" + place.name).kind == .file)
    #expect(fixture.reported.contains(.removalFailed) == isSwapped)
    #expect(files.openDescriptors == 0)
  }

  @Test func `a permanent store opens what it removes`() throws {
    let store = try open(limit: .unlimited, isPermanent: true)
    try fill(store, 10, seconds: 1)
    fixture.clock.advance(by: .seconds(1))
    files.resetCounts()
    #expect(try store.removeExpiredBlocking() == 10)
    #expect(files.count(of: .read) == 10)
    #expect(files.count(of: .rename) == 10)
  }
}
