import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct DiskStoreSharingTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let key = diskKey("k")

  init() throws { fixture = try DiskFixture(files: files) }

  private final class Writers: Sendable {
    let running: Atomic<Int>
    init(_ count: Int) { running = Atomic(count) }
  }

  /// Runs writers and readers on two stores of one folder, and checks each read.
  private func exchange(_ payloads: [[UInt8]], rounds: Int, readers: Int) async throws {
    let stores = [try fixture.open(), try fixture.open()]
    let entries = payloads.map { fixture.entry($0) }
    let writers = Writers(entries.count)
    try stores[0].removeBlocking(key)
    let key = key
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, entry) in entries.enumerated() {
        group.addTask {
          for _ in 0..<rounds { try await stores[index % 2].set(entry, for: key) }
          writers.running.subtract(1, ordering: .relaxed)
        }
      }
      for reader in 0..<readers {
        group.addTask {
          while writers.running.load(ordering: .relaxed) > 0 {
            guard let entry = try await stores[reader % 2].entry(for: key) else { continue }
            #expect(payloads.contains { $0 == entry.payload })
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(fixture.reported.isEmpty)
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
  }

  @Test func `B048 S3 a reader never sees a torn record`() async throws {
    let small = [UInt8](repeating: 0x41, count: 8_192)
    let other = [UInt8](repeating: 0x42, count: 8_192)
    try await exchange([small, other], rounds: 1_000, readers: 8)
    let large = [UInt8](repeating: 0x41, count: 1_048_576)
    try await exchange([large, other], rounds: 30, readers: 2)
  }

  @Test func `B053 two stores on one folder do not mix their bytes`() async throws {
    try await exchange(
      [[UInt8](repeating: 0x41, count: 10_000), [UInt8](repeating: 0x42, count: 7_000)],
      rounds: 1_000,
      readers: 2
    )
  }

  @Test func `compare-and-delete leaves a record that another process wrote meanwhile`() throws {
    let store = try fixture.open()
    let other = try DiskFixture(fixture.folder, clock: fixture.clock).open()
    let (old, new) = (fixture.entry([1]), fixture.entry([2]))
    // Between reading and removing.
    try store.setBlocking(old, for: key)
    files.before(.status) { [key] path in
      guard path?.hasSuffix(key.fileName) == true else { return }
      _ = try? other.setBlocking(new, for: key)
    }
    #expect(try store.removeBlocking(key, ifUnchanged: old) == false)
    files.heal()
    #expect(try store.entryBlocking(for: key) == new)
    // Between comparing and taking it out: it gets its name back.
    try store.setBlocking(old, for: key)
    files.before(.rename) { [key] path in
      guard path?.hasSuffix(key.fileName) == true else { return }
      _ = try? other.setBlocking(new, for: key)
    }
    #expect(try store.removeBlocking(key, ifUnchanged: old) == false)
    files.heal()
    #expect(try store.entryBlocking(for: key) == new)
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
  }

  @Test func `compare-and-delete does not bring back what another process removed`() throws {
    let store = try fixture.open()
    let other = try DiskFixture(fixture.folder, clock: fixture.clock).open()
    let (old, new) = (fixture.entry([1]), fixture.entry([2]))
    try store.setBlocking(old, for: key)
    files.before(.rename) { [key] path in
      guard path?.hasSuffix(key.fileName) == true else { return }
      _ = try? other.setBlocking(new, for: key)
    }
    // The newer record was taken out for a moment; its removal comes right before it is put back.
    files.before(.link) { [key] _ in _ = try? other.removeBlocking(key) }
    #expect(try store.removeBlocking(key, ifUnchanged: old) == false)
    files.heal()
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
  }

  @Test(arguments: [false, true])
  func `F4 S3 removing a namespace reaches what another process has taken out`(
    comesBackInTime: Bool
  ) throws {
    let store = try fixture.open()
    try store.setBlocking(fixture.entry([1]), for: key)
    let neighbour = diskKey("k", "elsewhere")
    try store.setBlocking(fixture.entry([2]), for: neighbour)
    let (place, plain) = (store.layout.place(of: key), POSIXFileSystem())
    let transit = store.layout.transit(place)
    try plain.rename(place.path, to: transit)
    // It gets its name back after its shard was looked at, or when all is done.
    let giveBack = { @Sendable in
      _ = try? plain.link(transit, to: place.path)
      _ = try? plain.unlink(transit)
    }
    files.before(.list) { path in
      if comesBackInTime, path?.hasSuffix("/tmp") == true { giveBack() }
    }
    try store.removeAllBlocking(in: Namespace("feature"))
    files.heal()
    giveBack()
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try store.entryBlocking(for: neighbour)?.payload == [2])
  }

  @Test func `a damaged record that was replaced meanwhile stays`() throws {
    let store = try fixture.open()
    let other = try DiskFixture(fixture.folder, clock: fixture.clock).open()
    try store.setBlocking(fixture.entry([1]), for: key)
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    try TemporaryFolder.write([1, 2, 3], to: path)
    files.before(.read) { [key, fixture] _ in
      _ = try? other.setBlocking(fixture.entry([4]), for: key)
    }
    #expect(try store.entryBlocking(for: key) == nil)
    files.heal()
    #expect(try store.entryBlocking(for: key)?.payload == [4])
  }

  @Test func `a write looks at what has its name only where it was counted`() throws {
    let (store, other) = (try fixture.open(), try DiskFixture(fixture.folder).open())
    try store.setBlocking(fixture.entry([1]), for: key)
    let counted = try store.usageBlocking()
    try other.setBlocking(fixture.entry([1, 2, 3]), for: diskKey("other"))
    files.resetCounts()
    // Never counted by this store, which therefore only adds the new one.
    try store.setBlocking(fixture.entry([1]), for: diskKey("other"))
    // The only looks are for the ledger, under both of its names.
    #expect(files.count(of: .status) == 2)
    try store.setBlocking(fixture.entry([1]), for: key)
    #expect(files.count(of: .status) == 5)
    let usage = try store.usageBlocking()
    #expect(usage.entries == 2)
    #expect(usage.bytes == (try fixture.open().usageBlocking().bytes))
    #expect(counted.entries == 1)
  }
}
