import CacheAsideTesting
import Testing

@testable import CacheAside

/// Another process works between two calls of ours, while a record is taken out to be judged.
@Suite(.timeLimit(.minutes(60))) struct DiskStoreRaceTests {
  enum Removal: CaseIterable { case one, all, evicted, expired }

  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let store: DiskStore
  let key = diskKey("k")

  init() throws {
    fixture = try DiskFixture(files: files)
    store = try fixture.open()
  }

  private func openOther(limit: DiskLimit = .unlimited) throws -> DiskStore {
    try DiskFixture(fixture.folder, clock: fixture.clock).open(limit: limit)
  }

  @Test(arguments: Removal.allCases)
  func `what was taken out by mistake does not come back after a removal`(
    removal: Removal
  ) throws {
    let other = try openOther(limit: removal == .evicted ? .entries(1) : .unlimited)
    let (old, newer, newest) = (fixture.entry([1]), fixture.entry([2]), fixture.entry([3]))
    try store.setBlocking(old, for: key)
    files.before(.rename) { [key] path in
      guard path?.hasSuffix(key.fileName) == true else { return }
      _ = try? other.setBlocking(newer, for: key)
    }
    // The newer record is in transit now; it is replaced, and its successor removed.
    files.before(.link) { [key, fixture] _ in
      switch removal {
      case .one:
        _ = try? other.setBlocking(newest, for: key)
        _ = try? other.removeBlocking(key)
      case .all:
        _ = try? other.removeAllBlocking(in: nil)
      case .evicted:
        _ = try? other.setBlocking(newest, for: key)
        fixture.clock.advance(by: .seconds(1))
        _ = try? other.setBlocking(fixture.entry([4]), for: diskKey("other"))
      case .expired:
        _ = try? other.setBlocking(fixture.entry([3], seconds: 1), for: key)
        fixture.clock.advance(by: .seconds(1))
        _ = try? other.removeExpiredBlocking()
      }
    }
    #expect(try store.removeBlocking(key, ifUnchanged: old) == false)
    files.heal()
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
  }

  @Test(arguments: [false, true])
  func `a record whose putting back was interrupted is removed all the same`(
    isPermanent: Bool
  ) throws {
    let store = try fixture.open(isPermanent: isPermanent)
    let entry = fixture.entry([1])
    try store.setBlocking(entry, for: key)
    try store.setBlocking(entry, for: diskKey("o"))
    let size = try store.diskUsage
    let place = store.layout.place(of: key)
    // What a process leaves that is killed between giving the name back and the end.
    try POSIXFileSystem().link(place.path, to: store.layout.transit(place))
    #expect(try store.removeBlocking(key, ifUnchanged: entry))
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try store.usageBlocking() == StoreUsage(entries: 1, bytes: size / 2))
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
  }
}
