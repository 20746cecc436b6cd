import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct DiskStoreLedgerFaultTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let home = Namespace("feature")
  let key = diskKey("k")

  init() throws { fixture = try DiskFixture(files: files) }

  private var ledgerPath: String { fixture.path + "/ledger" }

  private func tagged(_ payload: [UInt8] = [1]) -> CacheEntry {
    var entry = fixture.entry(payload, seconds: 100, keptSeconds: 200)
    entry.metadata.tags = ["red"]
    return entry
  }

  private func remove(_ tag: CacheAside.Tag, from store: DiskStore) throws {
    try store.invalidateBlocking(StoreInvalidation(.remove, .anyOf([tag]), in: home))
  }

  @Test(arguments: [FileCall.append, .write, .close, .create, .link])
  func `an invalidation that cannot be written throws, and nothing is read until it can`(
    call: FileCall
  ) async throws {
    let store = try fixture.open()
    try store.setBlocking(tagged(), for: key)
    if call != .create && call != .link { try remove("blue", from: store) }
    files.fail(call, with: DiskStoreFaultTests.noSpace, times: 3)
    let error = #expect(throws: CacheError.self) { try remove("red", from: store) }
    #expect(error?.code == .removalFailed)
    #expect(try store.entryBlocking(for: key) == nil)
    files.heal()
    // It is tried again behind the call.
    _ = try await store.changes(since: nil)
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try fixture.open().entryBlocking(for: key) == nil)
    try store.setBlocking(tagged([2]), for: key)
    #expect(try store.entryBlocking(for: key)?.payload == [2])
    #expect(files.openDescriptors == 0)
  }

  @Test(arguments: [FileCall.create, .write, .rename])
  func `a removal of everything that cannot be written throws, and nothing is read`(
    call: FileCall
  ) async throws {
    let store = try fixture.open()
    try remove("blue", from: store)
    try store.setBlocking(tagged(), for: key)
    files.fail(call, with: DiskStoreFaultTests.noSpace, times: 1)
    #expect(throws: CacheError.self) { try store.removeAllBlocking(in: nil) }
    files.heal()
    #expect(try store.entryBlocking(for: key) == nil)
    _ = try await store.changes(since: nil)
    #expect(try fixture.open().entryBlocking(for: key) == nil)
  }

  @Test(arguments: [0, 1, 47, 48])
  func `a damaged ledger puts everything out that is older`(length: Int) throws {
    let (store, other) = (try fixture.open(), try fixture.open())
    try store.setBlocking(tagged(), for: key)
    try remove("red", from: store)
    try store.setBlocking(tagged([2]), for: diskKey("new"))
    try store.setBlocking(fixture.entry([3]), for: diskKey("plain"))
    var bytes = try TemporaryFolder.read(ledgerPath)
    if length == 48 {
      bytes[20] ^= 1
    } else {
      bytes = Array(bytes.prefix(length))
    }
    try TemporaryFolder.write(bytes, to: ledgerPath)
    for store in [store, other, try fixture.open()] {
      for name in ["k", "new", "plain"] {
        #expect(try store.entryBlocking(for: diskKey(name)) == nil)
      }
    }
    try other.setBlocking(tagged([4]), for: key)
    #expect(try store.entryBlocking(for: key)?.payload == [4])
    #expect(fixture.reported.contains(.recordDamaged))
  }

  @Test func `a ledger that was there and is lost puts everything out`() throws {
    let store = try fixture.open()
    try store.setBlocking(tagged(), for: key)
    try remove("red", from: store)
    try store.setBlocking(tagged([2]), for: diskKey("new"))
    try POSIXFileSystem().unlink(ledgerPath)
    // One that never saw the ledger finds a record that came of it.
    #expect(try fixture.open().entryBlocking(for: diskKey("new")) == nil)
    try POSIXFileSystem().unlink(ledgerPath)
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try fixture.open().entryBlocking(for: key) == nil)
  }

  @Test func `a folder that vanished needs no ledger, and neither does one that was removed`()
    throws
  {
    let store = try fixture.open()
    try remove("red", from: store)
    try store.setBlocking(tagged(), for: key)
    try store.removeAll(keepingDirectory: false)
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
    try store.setBlocking(tagged([2]), for: key)
    #expect(try store.entryBlocking(for: key)?.payload == [2])
    #expect(try fixture.open().entryBlocking(for: key)?.payload == [2])
    #expect(!TemporaryFolder.filePaths(in: fixture.path).contains(ledgerPath))
  }

  @Test func `a file system that cannot append begins a new epoch instead`() throws {
    let plain = try DiskFixture(fixture.folder, files: PlainFileSystem(base: files))
    let store = try plain.open()
    try store.setBlocking(tagged(), for: key)
    try remove("red", from: store)
    try remove("red", from: store)
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try fixture.open().entryBlocking(for: key) == nil)
    try store.setBlocking(tagged([2]), for: key)
    #expect(try fixture.open().entryBlocking(for: key)?.payload == [2])
  }

  @Test func `a ledger that was taken for a rewriting and not given back still counts`() throws {
    let store = try fixture.open()
    try store.setBlocking(tagged(), for: key)
    try remove("red", from: store)
    try store.setBlocking(tagged([2]), for: diskKey("new"))
    try POSIXFileSystem().rename(ledgerPath, to: fixture.path + "/tmp/ledger.rewritten")
    for store in [store, try fixture.open()] {
      #expect(try store.entryBlocking(for: key) == nil)
      #expect(try store.entryBlocking(for: diskKey("new"))?.payload == [2])
    }
    try remove("blue", from: try fixture.open())
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
    #expect(try store.entryBlocking(for: diskKey("new"))?.payload == [2])
    #expect(store.loadMark?.sequence == 2)
  }

  @Test func `S3 a sweep gives the ledger its name back, however long it was without`() throws {
    let store = try fixture.open()
    var entry = fixture.entry([1])
    entry.metadata.tags = ["red"]
    for name in ["k", "unread"] { try store.setBlocking(entry, for: diskKey(name)) }
    try remove("red", from: store)
    let taken = fixture.path + "/tmp/ledger.rewritten"
    try POSIXFileSystem().rename(ledgerPath, to: taken)
    fixture.clock.advance(by: .seconds(200_000))
    try fixture.open().sweep(0)
    #expect(try fixture.open().entryBlocking(for: key) == nil)
    #expect(try POSIXFileSystem().list(fixture.path).contains("ledger"))
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
    // Beside one that has the name it is of no use, and goes with the folder.
    try TemporaryFolder.write(TemporaryFolder.read(ledgerPath), to: taken)
    try remove("blue", from: store)
    fixture.clock.advance(by: .seconds(200_000))
    try fixture.open().sweep(0)
    #expect(try fixture.open().entryBlocking(for: diskKey("unread")) == nil)
    #expect(try TemporaryFolder.read(ledgerPath) != TemporaryFolder.read(taken))
    try store.removeAll(keepingDirectory: false)
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
  }

  @Test func `a ledger that cannot be read now makes reads fail, and changes nothing`() throws {
    let store = try fixture.open()
    try remove("blue", from: store)
    try store.setBlocking(tagged(), for: key)
    files.fail(.status, with: DiskStoreFaultTests.noAccess, times: 1)
    #expect(throws: CacheError.self) { try store.entryBlocking(for: key) }
    #expect(try store.entryBlocking(for: key)?.payload == [1])
  }
}
