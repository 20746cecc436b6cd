import CacheAsideTesting
import Testing

@testable import CacheAside

/// Indexes that are not what the store wrote.
@Suite(.timeLimit(.minutes(60))) struct DiskIndexDamageTests {
  let fixture: DiskFixture

  init() throws { fixture = try DiskFixture() }

  private static let note = DiskNote(
    "name",
    FileStatus(
      kind: .file,
      size: 1,
      owner: 2,
      device: 3,
      inode: 4,
      accessed: 5,
      modified: 6,
      changed: 7
    ),
    created: 8,
    freshUntil: 9,
    keptUntil: -10
  )

  @Test func `an index reads as it was written, and as nothing when a bit of it changed`() {
    let index = DiskIndexFile(made: 11, notes: [Self.note, Self.note])
    let bytes = index.bytes
    #expect(bytes.count == 24 + 2 * 64)
    #expect(DiskIndexFile(bytes) == index)
    #expect(DiskIndexFile(DiskIndexFile(made: 1, notes: []).bytes)?.notes == [])
    for offset in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[offset] ^= 1 << UInt8(bit)
        #expect(DiskIndexFile(damaged) == nil)
      }
    }
    for count in 0..<bytes.count { #expect(DiskIndexFile(Array(bytes.prefix(count))) == nil) }
    #expect(DiskIndexFile(bytes + [0]) == nil)
    #expect(DiskIndexFile(bytes + [UInt8](repeating: 0, count: 64)) == nil)
  }

  enum Damage: CaseIterable {
    case empty, zeros, random, huge, torn, link, directory, foreign, future
  }

  private func damage(_ path: String, _ damage: Damage) throws {
    let bytes = try TemporaryFolder.read(path)
    switch damage {
    case .empty: try TemporaryFolder.write([], to: path)
    case .zeros: try TemporaryFolder.write([UInt8](repeating: 0, count: bytes.count), to: path)
    case .random:
      var random = SystemRandomNumberGenerator()
      try TemporaryFolder.write(
        bytes.map { _ in UInt8.random(in: 0...255, using: &random) },
        to: path
      )
    case .huge: try TemporaryFolder.write([UInt8](repeating: 0x8C, count: 5_000_000), to: path)
    case .torn: try TemporaryFolder.write(Array(bytes.prefix(bytes.count / 2)), to: path)
    case .link:
      let outside = fixture.folder.path + "/outside"
      try TemporaryFolder.write(bytes, to: outside)
      try POSIXFileSystem().unlink(path)
      try DiskModes.link(path, to: outside)
    case .directory:
      try POSIXFileSystem().unlink(path)
      try POSIXFileSystem().makeDirectory(path)
    case .foreign:
      // Sound, and about files that are not there.
      let notes = (0..<40).map { index in
        var note = Self.note
        note.name = UInt64(index)
        note.keptUntil = .max
        return note
      }
      let index = DiskIndexFile(made: fixture.clock.wallMicroseconds, notes: notes)
      try TemporaryFolder.write(index.bytes, to: path)
    case .future:
      var index = try #require(DiskIndexFile(bytes))
      index.made = .max
      for position in index.notes.indices {
        index.notes[position].keptUntil = .max
        index.notes[position].size = 1_000_000
      }
      try TemporaryFolder.write(index.bytes, to: path)
    }
  }

  @Test(arguments: Damage.allCases)
  func `an index that says nothing true costs looks and no entry`(kind: Damage) throws {
    let naming: @Sendable (CacheKey) -> String = { "0" + $0.fileName }
    let writer = try fixture.open(naming: naming)
    for index in 0..<1_000 {
      let entry = fixture.entry([1, 2], seconds: index % 2 == 0 ? 1 : nil)
      try writer.setBlocking(entry, for: diskKey("k\(index)"))
    }
    #expect(try writer.removeExpiredBlocking() == 0)
    let size = try writer.diskUsage
    let path = writer.layout.indexPath(ofShard: 0)
    try damage(path, kind)

    let store = try fixture.open(limit: .entries(10_000), naming: naming)
    #expect(try store.usageBlocking() == StoreUsage(entries: 1_000, bytes: size))
    fixture.clock.advance(by: .seconds(1))
    #expect(try store.removeExpiredBlocking() == 500)
    #expect(try store.usageBlocking() == StoreUsage(entries: 500, bytes: size / 2))
    for index in 0..<1_000 {
      #expect((try store.entryBlocking(for: diskKey("k\(index)")) != nil) == (index % 2 == 1))
    }
    #expect(fixture.reported.isEmpty)
    try store.removeAllBlocking(in: nil)
    #expect(try store.usageBlocking().entries == 0)
    if kind == .link {
      #expect(try POSIXFileSystem().status(at: fixture.folder.path + "/outside").kind == .file)
    }
  }
}
