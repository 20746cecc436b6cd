import Testing

@testable import CacheAside

@Suite struct DiskStoreDamageTests {
  let fixture: DiskFixture
  let key = diskKey("k")

  init() throws { fixture = try DiskFixture() }

  enum Damage: CaseIterable {
    case empty, oneByte, withoutHeaderEnd, withoutLastByte, oneByteMore, valueFlipped, keyFlipped
    case foreign

    func apply(to bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      switch self {
      case .empty: return []
      case .oneByte: return Array(bytes.prefix(1))
      case .withoutHeaderEnd: return Array(bytes.prefix(79))
      case .withoutLastByte: return bytes.dropLast()
      case .oneByteMore: return bytes + [0]
      case .valueFlipped: bytes[bytes.count - 1] ^= 0x10
      case .keyFlipped: bytes[81] ^= 0x01
      case .foreign: return Array(repeating: 0x41, count: 4_096)
      }
      return bytes
    }
  }

  @Test(arguments: Damage.allCases)
  func `B049 S2 a damaged record is a miss and is replaced`(damage: Damage) throws {
    for size in [300, 100_000] {
      try fixture.open().setBlocking(fixture.entry([UInt8](repeating: 7, count: size)), for: key)
      let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
      try TemporaryFolder.write(damage.apply(to: TemporaryFolder.read(path)), to: path)
      let store = try fixture.open()
      #expect(try store.entryBlocking(for: key) == nil)
      #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
      try store.setBlocking(fixture.entry([9]), for: key)
      #expect(try store.entryBlocking(for: key)?.payload == [9])
      #expect(try store.usageBlocking().entries == 1)
    }
    #expect(fixture.reported == [.recordDamaged, .recordDamaged])
  }

  @Test func `S2 a permanent store sets a damaged record aside`() throws {
    let store = try fixture.open(limit: nil, isPermanent: true, durability: .power)
    try store.setBlocking(fixture.entry([1, 2]), for: key)
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    let damaged = Array(try TemporaryFolder.read(path).dropLast())
    try TemporaryFolder.write(damaged, to: path)
    #expect(try store.entryBlocking(for: key) == nil)
    let aside = TemporaryFolder.filePaths(in: fixture.path)
    #expect(aside.count == 1)
    #expect(try #require(aside.first).hasPrefix(fixture.path + "/aside/"))
    #expect(try TemporaryFolder.read(#require(aside.first)) == damaged)
    #expect(fixture.reported == [.recordDamaged])
    try store.removeAllBlocking(in: nil)
    #expect(TemporaryFolder.filePaths(in: fixture.path) == [fixture.path + "/ledger"])
  }

  @Test func `B064 file times mean nothing for freshness`() throws {
    let entry = fixture.entry([1], seconds: 3_600)
    try fixture.open().setBlocking(entry, for: key)
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    let record = try TemporaryFolder.read(path)
    for modified: Int64 in [0, 4_070_908_800_000_000] {
      try TemporaryFolder.write(record, to: path, modified: modified)
      let store = try fixture.open()
      for shard in 0..<256 { try store.sweep(shard) }
      #expect(try store.removeExpiredBlocking() == 0)
      #expect(try store.entryBlocking(for: key) == entry)
    }
    // The record says that it is over, the file's time that it is not.
    fixture.clock.advance(by: .seconds(3_600))
    #expect(try fixture.open().removeExpiredBlocking() == 1)
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
  }

  @Test func `a sweep finds a dead record whose file time lies in the future`() throws {
    let store = try fixture.open()
    try store.setBlocking(fixture.entry([1], seconds: 10), for: key)
    let path = try #require(TemporaryFolder.filePaths(in: fixture.path).first)
    try TemporaryFolder.write(TemporaryFolder.read(path), to: path, modified: 4_070_908_800_000_000)
    fixture.clock.advance(by: .seconds(10))
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
  }

  @Test func `B066 times come back to the microsecond`() throws {
    var entry = fixture.entry([1])
    entry.created = 1_893_456_000_123_457
    entry.freshUntil = 1_893_456_060_000_001
    entry.keptUntil = 1_893_456_061_999_999
    try fixture.open().setBlocking(entry, for: key)
    #expect(try fixture.open().entryBlocking(for: key) == entry)
  }

  @Test func `B073 K4 a record of another type is told by its type and stays`() throws {
    let store = try fixture.open()
    let codec = try #require(Codec<Int>.automatic())
    var entry = fixture.entry(try codec.encodeEntryPayload(42))
    entry.type = TypeIdentity.of(Int.self)
    try store.setBlocking(entry, for: key)
    let found = try #require(try store.entryBlocking(for: key))
    #expect(found.type != TypeIdentity.of(String.self))
    #expect(found.type != TypeIdentity.of(Double.self))
    #expect(found.type == TypeIdentity.of(Int?.self))
    #expect(try codec.decodePayload(found.payload) == 42)
  }

  private struct First: Codable, Sendable { var name: String }
  private struct Second: Codable, Sendable, Equatable {
    var name: String
    var age: Int
  }

  @Test func `B072 an undecodable record is removed only while it is the one that was read`() throws
  {
    let store = try fixture.open()
    let old = try #require(Codec<First>.automatic())
    let new = try #require(Codec<Second>.automatic())
    let first = fixture.entry(try old.encodeEntryPayload(First(name: "a")))
    try store.setBlocking(first, for: key)
    let read = try #require(try store.entryBlocking(for: key))
    #expect(throws: DecodingError.self) { try new.decodePayload(read.payload) }
    let second = fixture.entry(try new.encodeEntryPayload(Second(name: "b", age: 3)))
    try store.setBlocking(second, for: key)
    #expect(try store.removeBlocking(key, ifUnchanged: read) == false)
    let found = try #require(try store.entryBlocking(for: key))
    #expect(try new.decodePayload(found.payload) == Second(name: "b", age: 3))
    #expect(try store.removeBlocking(key, ifUnchanged: found))
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `B074 bytes take their own size on disk`() throws {
    let payload = [UInt8](repeating: 0xFF, count: 1_048_576)
    let codec = try #require(Codec<[UInt8]>.automatic())
    let store = try fixture.open()
    try store.setBlocking(fixture.entry(try codec.encodeEntryPayload(payload)), for: key)
    #expect(try TemporaryFolder.size(of: fixture.path) <= 1_048_576 + 4_096)
    #expect(try store.entryBlocking(for: key)?.payload == payload)
  }
}
