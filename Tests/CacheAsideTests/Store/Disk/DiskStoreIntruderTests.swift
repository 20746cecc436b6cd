import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Things in the store's folder that the store did not put there.
@Suite(.timeLimit(.minutes(60))) struct DiskStoreIntruderTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let key = diskKey("k")

  init() throws { fixture = try DiskFixture(files: files) }

  #if os(Linux)
  @Test(arguments: [false, true])
  func `a pipe or socket in the place of a record is a miss, blocks nothing and goes`(
    isSocket: Bool
  ) throws {
    let store = try fixture.open()
    let uses: [() throws -> Bool] = [
      { try store.entryBlocking(for: key) == nil },
      { try !store.removeBlocking(key, ifUnchanged: fixture.entry([1])) },
      { try store.removeExpiredBlocking() == 0 },
      { try store.removeAllBlocking(in: Namespace("feature")) == () },
      { try store.scanBlocking(nil) { _, _ in true } == () },
      { try store.setBlocking(fixture.entry([1]), for: key) == () },
    ]
    for use in uses {
      try store.setBlocking(fixture.entry([1]), for: key)
      let path = store.layout.place(of: key).path
      try DiskModes.replace(path, byPipe: !isSocket)
      #expect(try use())
      let kind = try store.statusIfPresent(path)?.kind
      #expect(kind == nil || kind == .file)
    }
    #expect(files.openDescriptors == 0)
  }
  #endif

  @Test func `a file in the place of a folder is replaced`() throws {
    let store = try fixture.open()
    let entry = fixture.entry([1])
    try store.setBlocking(entry, for: diskKey("other"))
    for path in [store.layout.temporaryFolder, store.layout.folder(ofShard: 7)] {
      TemporaryFolder.removeTree(path)
      try TemporaryFolder.write([1], to: path)
    }
    for index in 0..<600 { try store.setBlocking(entry, for: diskKey("\(index)")) }
    for index in 0..<600 { #expect(try store.entryBlocking(for: diskKey("\(index)")) == entry) }
  }

  #if !SANITIZE_THREAD
  @Test func `F6 what an eviction meets is reported outside its gate`() throws {
    let store = try fixture.open(limit: .entries(2))
    let reports = Atomic<Int>(0)
    let free = Atomic<Int>(0)
    let other = try fixture.openReporting(limit: .entries(2)) { store in
      reports.add(1, ordering: .relaxed)
      if store.evictionGate.withLockIfAvailable({ _ in true }) == true {
        free.add(1, ordering: .relaxed)
      }
    }
    for name in ["a", "b"] {
      try store.setBlocking(fixture.entry([1]), for: diskKey(name))
      try TemporaryFolder.write(
        [1, 2],
        to: store.layout.place(of: diskKey(name)).path,
        modified: 1
      )
    }
    try other.setBlocking(fixture.entry([1]), for: key)
    #expect(reports.load(ordering: .relaxed) == 2)
    #expect(free.load(ordering: .relaxed) == 2)
  }
  #endif

  @Test func `a strange name among what was taken out stops nothing`() throws {
    let store = try fixture.open()
    try store.setBlocking(fixture.entry([1]), for: key)
    for name in ["-1", "+f", "", "é", "FF", "z"] {
      try TemporaryFolder.write([1], to: fixture.path + "/tmp/\(name).taken")
    }
    try store.removeAllBlocking(in: Namespace("other"))
    #expect(try store.entryBlocking(for: key)?.payload == [1])
  }

  @Test func `nothing is written or removed through a link in the place of a folder (B385)`() throws
  {
    let outside = fixture.folder.path + "/outside"
    let system = POSIXFileSystem()
    try system.makeDirectory(outside)
    let store = try fixture.open(limit: .entries(1_000))
    let place = store.layout.place(of: key)
    let folder = store.layout.folder(ofShard: place.shard)
    let uses: [() throws -> Void] = [
      { try store.setBlocking(fixture.entry([2]), for: key) },
      { try store.removeBlocking(key) },
      { _ = try store.removeExpiredBlocking() },
      { try store.sweep(place.shard) },
      { try store.removeAllBlocking(in: Namespace("feature")) },
      { try store.removeAllBlocking(in: nil) },
      { _ = try store.removeBlocking(key, ifUnchanged: fixture.entry([1])) },
    ]
    for use in uses {
      try store.setBlocking(fixture.entry([1]), for: key)
      let record = try TemporaryFolder.read(place.path)
      TemporaryFolder.removeTree(folder)
      try TemporaryFolder.write(record, to: outside + "/" + place.name)
      try DiskModes.link(folder, to: outside)
      try use()
      #expect(try system.list(outside) == [place.name])
      #expect(try TemporaryFolder.read(outside + "/" + place.name) == record)
      if try store.statusIfPresent(folder)?.kind == .other { try system.unlink(folder) }
    }
    #expect(files.openDescriptors == 0)
  }

  @Test func `a link in the place of the folder of what is being written goes (B385)`() throws {
    let outside = fixture.folder.path + "/outside"
    let system = POSIXFileSystem()
    try system.makeDirectory(outside)
    try fixture.open().setBlocking(fixture.entry([1]), for: key)
    for name in ["tmp", "aside"] {
      TemporaryFolder.removeTree(fixture.path + "/" + name)
      try DiskModes.link(fixture.path + "/" + name, to: outside)
    }
    let store = try fixture.open()
    let written = Lock<[String]>([])
    files.before(.rename) { path in written.withLock { $0 += (try? system.list(outside)) ?? [] } }
    try store.setBlocking(fixture.entry([2]), for: key)
    files.heal()
    #expect(written.withLock { $0.isEmpty })
    #expect(try store.entryBlocking(for: key)?.payload == [2])
    #expect(try store.statusIfPresent(fixture.path + "/aside") == nil)
  }
}
