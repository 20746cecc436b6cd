import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite struct DiskStoreFaultTests {
  static let noSpace: Int32 = 28
  static let notPermitted: Int32 = 1
  static let noAccess: Int32 = 13
  static let tooManyFiles: Int32 = 24
  static let inputOutput: Int32 = 5

  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let key = diskKey("k")

  init() throws { fixture = try DiskFixture(files: files) }

  @Test(arguments: [FileCall.create, .write, .synchronize, .close, .setTimes, .rename])
  func `B050 S3 a failed write leaves no torn record and no temporary file`(call: FileCall) throws {
    let store = try fixture.open(durability: .power)
    try store.setBlocking(fixture.entry([1]), for: key)
    try store.setBlocking(fixture.entry([5]), for: diskKey("other"))
    #expect(try store.usageBlocking().entries == 2)
    files.fail(call, with: Self.noSpace, times: 1)
    let error = #expect(throws: CacheError.self) {
      try store.setBlocking(fixture.entry([2, 2]), for: key)
    }
    #expect(error?.code == .storeFailed)
    #expect(error?.cause as? FileSystemError == FileSystemError(call, code: Self.noSpace))
    files.heal()
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
    let usage = try store.usageBlocking()
    #expect(usage.entries == 1)
    #expect(usage.bytes == (try TemporaryFolder.size(of: fixture.path)))
    #expect(files.openDescriptors == 0)
    try store.setBlocking(fixture.entry([3]), for: key)
    #expect(try store.entryBlocking(for: key)?.payload == [3])
  }

  @Test func `a failed write says when the older entry is still there`() throws {
    let store = try fixture.open()
    try store.setBlocking(fixture.entry([1]), for: key)
    files.fail(.write, with: Self.noSpace)
    files.fail(.unlink, with: Self.inputOutput)
    let error = #expect(throws: CacheError.self) {
      try store.setBlocking(fixture.entry([2]), for: key)
    }
    #expect(error?.message.contains("nor remove") == true)
    #expect(throws: CacheError.self) { try store.removeBlocking(key) }
    files.heal()
    #expect(try store.entryBlocking(for: key)?.payload == [1])
    files.fail(.write, with: Self.noSpace)
    files.fail(.unlink, with: Self.inputOutput)
    #expect(throws: CacheError.self) { try store.removeAllBlocking(in: nil) }
    files.heal()
    // What could not be stamped is stamped before the next read.
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test(arguments: [notPermitted, noAccess, tooManyFiles, inputOutput])
  func `B052 what cannot be read now throws and deletes nothing`(code: Int32) throws {
    let store = try fixture.open()
    try store.setBlocking(fixture.entry([1], seconds: 1), for: key)
    fixture.clock.advance(by: .seconds(2))
    files.fail(.open, with: code, times: 3)
    #expect(throws: CacheError.self) { try store.entryBlocking(for: key) }
    // Another one than the writer, which need not read what it noted.
    let other = try fixture.open()
    #expect(throws: CacheError.self) { try other.removeExpiredBlocking() }
    #expect(throws: CacheError.self) {
      try store.removeBlocking(key, ifUnchanged: fixture.entry([1]))
    }
    files.fail(.read, with: code, times: 1)
    #expect(throws: CacheError.self) { try store.entryBlocking(for: key) }
    #expect(try store.entryBlocking(for: key)?.payload == [1])
    #expect(fixture.reported.isEmpty)
    #expect(files.openDescriptors == 0)
  }

  @Test func `B056 an operation makes equally many calls at any size`() throws {
    let store = try fixture.open(limit: .megabytes(100))
    let entry = fixture.entry([UInt8](repeating: 1, count: 32), seconds: 3_600)
    var stored = 0
    func fill(to count: Int) throws {
      while stored < count {
        try store.setBlocking(entry, for: diskKey("key \(stored)"))
        stored += 1
      }
    }
    var costs: [[Int]] = []
    // Enough that every shard has its folder.
    for count in [3_000, 10_000] {
      try fill(to: count)
      files.resetCounts()
      for index in 0..<100 { try store.setBlocking(entry, for: diskKey("key \(index)")) }
      let writes = files.calls
      for index in 0..<100 { _ = try store.entryBlocking(for: diskKey("key \(index)")) }
      let reads = files.calls - writes
      for index in 0..<100 { try store.removeBlocking(diskKey("absent \(index)")) }
      costs.append([writes, reads, files.calls - writes - reads])
    }
    #expect(costs[0] == costs[1])
    #expect(costs[0].allSatisfy { $0 <= 1_200 })
  }

  @Test func `B057 descriptors are closed on every path`() throws {
    let key = key
    var store = try fixture.open()
    for round in 0..<5_000 {
      try store.setBlocking(fixture.entry([UInt8(truncatingIfNeeded: round)]), for: key)
      _ = try store.entryBlocking(for: key)
      if round % 50 == 0 { store = try fixture.open() }
    }
    #expect(files.openDescriptors == 0)
    #expect(files.mostOpenDescriptors <= 2)
    for call: FileCall in [.read, .statusOfFile, .setTimes, .close, .write, .list, .status] {
      files.fail(call, with: Self.inputOutput)
      for _ in 0..<10 {
        _ = try? store.entryBlocking(for: key)
        _ = try? store.setBlocking(fixture.entry([1]), for: key)
        _ = try? store.removeExpiredBlocking()
        _ = try? store.removeBlocking(key, ifUnchanged: fixture.entry([1]))
        _ = try? store.scanBlocking(nil) { _, _ in true }
      }
      files.heal()
    }
    #expect(files.openDescriptors == 0)
  }

  @Test func `with power durability a record is on the device before it has its name (M14)`() throws
  {
    let store = try fixture.open(durability: .power)
    let flushes = Lock<[Int]>([])
    files.before(.rename) { [files] _ in
      flushes.withLock { $0.append(files.count(of: .synchronize)) }
    }
    files.resetCounts()
    try store.setBlocking(fixture.entry([1]), for: diskKey("k"))
    files.heal()
    #expect(flushes.withLock { $0.first } == 1)
  }

  @Test func `with power durability a write waits for the record and for its folder (M62)`() throws
  {
    let store = try fixture.open(durability: .power)
    try store.setBlocking(fixture.entry([1]), for: diskKey("k"))
    files.resetCounts()
    try store.setBlocking(fixture.entry([2]), for: diskKey("k"))
    #expect(files.count(of: .synchronize) == 2)
    files.resetCounts()
    try store.removeBlocking(diskKey("k"))
    #expect(files.count(of: .synchronize) == 1)
  }
}
