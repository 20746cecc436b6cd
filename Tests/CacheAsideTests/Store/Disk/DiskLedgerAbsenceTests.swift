import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct DiskLedgerAbsenceTests {
  private let tick: Int64 = 40_000_000
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let key = diskKey("k")

  init() throws { fixture = try DiskFixture(files: files) }

  private func folder(
    _ kind: FileStatus.Kind = .directory,
    inode: UInt64 = 1,
    modified: Int64 = 7,
    changed: Int64 = 7_000_000_001
  ) -> FileStatus {
    FileStatus(
      kind: kind,
      size: 0,
      owner: 0,
      device: 1,
      inode: inode,
      accessed: 0,
      modified: modified,
      changed: changed
    )
  }

  @Test func `a folder that looks the same twice, more than a tick apart, tells for a second`() {
    var absence = DiskLedgerAbsence()
    #expect(absence.asksForFolder(at: 0))
    #expect(!absence.isKnown(in: folder(), at: 0))
    absence.note(in: folder(), from: 0, to: 10)
    #expect(!absence.asksForFolder(at: tick))
    #expect(!absence.isKnown(in: folder(), at: tick))
    let second = 10 + tick
    #expect(absence.asksForFolder(at: second))
    absence.note(in: folder(), from: second, to: second + 10)
    #expect(absence.asksForFolder(at: second))
    #expect(absence.isKnown(in: folder(), at: second + 999_999_999))
    #expect(!absence.isKnown(in: folder(), at: second + 1_000_000_000))
    for other in [folder(.other), folder(inode: 2), folder(modified: 8), folder(changed: 8)] {
      #expect(!absence.isKnown(in: other, at: second))
    }
    // One that has changed begins anew.
    absence.note(in: folder(changed: 8_000_000_001), from: second, to: second + 10)
    #expect(!absence.isKnown(in: folder(changed: 8_000_000_001), at: second))
  }

  @Test func `a first look that took long makes the second wait`() {
    var absence = DiskLedgerAbsence()
    absence.note(in: folder(), from: 0, to: tick)
    absence.note(in: folder(), from: 2 * tick - 1, to: 2 * tick)
    #expect(!absence.isKnown(in: folder(), at: 2 * tick))
  }

  @Test func `where times count in seconds the second look waits longer`() {
    var absence = DiskLedgerAbsence()
    let seconds = folder(changed: 7_000_000_000)
    absence.note(in: seconds, from: 0, to: 0)
    #expect(!absence.asksForFolder(at: 3_999_999_999))
    absence.note(in: seconds, from: 4_000_000_000, to: 4_000_000_000)
    #expect(absence.isKnown(in: seconds, at: 4_000_000_000))
  }

  /// A store that has found out that its folder has no ledger.
  private func settled() throws -> DiskStore {
    let store = try fixture.open(folderTime: fixture.clock.source)
    var entry = fixture.entry([1])
    entry.metadata.tags = ["red"]
    try store.setBlocking(entry, for: key)
    for _ in 0..<2 {
      #expect(try store.entryBlocking(for: key)?.payload == [1])
      fixture.clock.advance(by: .seconds(5))
    }
    #expect(try store.entryBlocking(for: key)?.payload == [1])
    try awaitTick(after: fixture.path)
    return store
  }

  /// Waits until the file system's clock, which the fixture's does not move, has a later time than a
  /// folder: a tick of it, at most a few milliseconds on most file systems.
  private func awaitTick(after path: String) throws {
    let system = POSIXFileSystem()
    let changed = try system.status(at: path).changed
    let scratch = fixture.folder.path + "/scratch"
    repeat {
      try? system.removeDirectory(scratch)
      try system.makeDirectory(scratch)
    } while try system.status(at: scratch).changed == changed
  }

  /// What a read asks about by its path.
  private func looks(of store: DiskStore) throws -> [String?] {
    let paths = Lock<[String?]>([])
    files.before(.status) { path in paths.withLock { $0.append(path) } }
    #expect(try store.entryBlocking(for: key)?.payload == [1])
    files.heal()
    return paths.withLock { $0 }
  }

  private func removeRed(from store: DiskStore) throws {
    let invalidation = StoreInvalidation(.remove, .anyOf(["red"]), in: Namespace("feature"))
    try store.invalidateBlocking(invalidation)
  }

  @Test func `while there is no ledger a read looks at the folder, once a second for the ledger`()
    throws
  {
    let store = try settled()
    #expect(try looks(of: store) == [fixture.path])
    fixture.clock.advance(by: .seconds(1))
    let all = [fixture.path, fixture.path + "/ledger", fixture.path + "/tmp/ledger.rewritten"]
    #expect(try looks(of: store) == all)
    #expect(try looks(of: store) == [fixture.path])
  }

  @Test func `with an injected clock every read looks for the ledger itself`() throws {
    let store = try fixture.open()
    try store.setBlocking(fixture.entry([1]), for: key)
    for _ in 0..<3 {
      fixture.clock.advance(by: .seconds(5))
      #expect(try !looks(of: store).contains(fixture.path))
    }
  }

  @Test func `a ledger that was taken from its name is found by a store that never saw one`() throws
  {
    let (store, other) = (try fixture.open(), try fixture.open())
    var entry = fixture.entry([1])
    entry.metadata.tags = ["red"]
    try store.setBlocking(entry, for: key)
    #expect(try store.entryBlocking(for: key)?.payload == [1])
    try removeRed(from: other)
    try POSIXFileSystem().rename(
      fixture.path + "/ledger",
      to: fixture.path + "/tmp/ledger.rewritten"
    )
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `the first invalidation by another process is met by the next read`() throws {
    let (store, other) = (try settled(), try fixture.open())
    try removeRed(from: other)
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `another folder in the place of the one that was looked at has its own ledger`() throws
  {
    let store = try settled()
    try POSIXFileSystem().rename(fixture.path, to: fixture.path + "-before")
    let other = try fixture.open()
    try removeRed(from: other)
    var late = fixture.entry([2])
    late.metadata.tags = ["red"]
    late.metadata.loadMark = LoadMark.none
    try other.setBlocking(late, for: key)
    #expect(try store.entryBlocking(for: key) == nil)
  }
}
