import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// What is appended to a ledger while others read it, and what stays of it when its writer dies.
@Suite(.timeLimit(.minutes(60))) struct DiskLedgerAppendTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let home = Namespace("feature")

  init() throws { fixture = try DiskFixture(files: files) }

  private var ledgerPath: String { fixture.path + "/ledger" }

  private func set(_ tags: [CacheAside.Tag], _ name: String, in store: DiskStore) throws {
    var entry = fixture.entry([1], seconds: 100, keptSeconds: 200)
    entry.metadata.tags = tags
    entry.metadata.staleIfErrorEnd = entry.keptUntil
    try store.setBlocking(entry, for: diskKey(name))
  }

  private func remove(_ tags: [CacheAside.Tag], from store: DiskStore) throws {
    try store.invalidateBlocking(StoreInvalidation(.remove, .anyOf(tags), in: home))
  }

  private func isThere(_ name: String, in store: DiskStore) throws -> Bool {
    try store.entryBlocking(for: diskKey(name)) != nil
  }

  /// A folder with an untagged record, a red and a blue one, of which the green one was removed.
  private func filled() throws -> DiskStore {
    let store = try fixture.open()
    try remove(["green"], from: store)
    try set([], "plain", in: store)
    try set(["red"], "red", in: store)
    try set(["blue"], "blue", in: store)
    return store
  }

  private func stampOnRed() -> [UInt8] {
    DiskLedger.Stamp.stamps(of: StoreInvalidation(.remove, .anyOf(["red"]), in: home))
      .flatMap(DiskLedgerFile.bytes(of:))
  }

  @Test func `an unfinished stamp at the end of a ledger loses no record (B361)`() throws {
    let store = try filled()
    let sound = try TemporaryFolder.read(ledgerPath)
    let stamp = stampOnRed()
    for count in 1..<stamp.count {
      try TemporaryFolder.write(sound + stamp.prefix(count), to: ledgerPath)
      for store in [store, try fixture.open()] {
        for name in ["plain", "red", "blue"] { #expect(try isThere(name, in: store)) }
      }
    }
    try TemporaryFolder.write(sound + stamp, to: ledgerPath)
    for store in [store, try fixture.open()] {
      #expect(try !isThere("red", in: store))
      for name in ["plain", "blue"] { #expect(try isThere(name, in: store)) }
    }
    #expect(fixture.reported.isEmpty)
  }

  @Test func `what is removed after a writer died in the middle of a stamp is out (B361)`() throws {
    let store = try filled()
    let other = try fixture.open()
    // The file system writes half of it.
    files.fail(.write, with: DiskStoreFaultTests.noSpace, times: 1)
    #expect(throws: CacheError.self) { try remove(["red"], from: store) }
    files.heal()
    for name in ["plain", "red", "blue"] { #expect(try isThere(name, in: other)) }
    try remove(["blue"], from: other)
    for store in [other, try fixture.open()] {
      #expect(try !isThere("blue", in: store))
      for name in ["plain", "red"] { #expect(try isThere(name, in: store)) }
    }
    try remove(["none"], from: store)
    for store in [store, other, try fixture.open()] {
      for name in ["blue", "red"] { #expect(try !isThere(name, in: store)) }
      #expect(try isThere("plain", in: store))
    }
    #expect(fixture.reported.isEmpty)
  }

  @Test func `a damaged stamp loses what it may have reached, is reported, and leaves`() throws {
    let store = try filled()
    let start = try TemporaryFolder.read(ledgerPath).count
    try remove(["red"], from: store)
    try remove(["green"], from: store)
    try set(["red"], "later", in: store)
    var bytes = try TemporaryFolder.read(ledgerPath)
    bytes[start + 20] ^= 1
    try TemporaryFolder.write(bytes, to: ledgerPath)
    let reader = try fixture.open()
    for name in ["red", "blue"] { #expect(try !isThere(name, in: reader)) }
    for name in ["plain", "later"] { #expect(try isThere(name, in: reader)) }
    #expect(fixture.reported == [.recordDamaged])
    try remove(["white"], from: reader)
    for name in ["plain", "later"] { #expect(try isThere(name, in: fixture.open())) }
    #expect(fixture.reported == [.recordDamaged])
  }

  @Test func `a ledger that became shorter than it was read puts everything out`() throws {
    let store = try filled()
    let short = try TemporaryFolder.read(ledgerPath)
    try remove(["red"], from: store)
    try TemporaryFolder.write(short, to: ledgerPath)
    for name in ["plain", "red", "blue"] { #expect(try !isThere(name, in: store)) }
    #expect(fixture.reported.contains(.recordDamaged))
  }

  @Test func `a stamp that the ledger lacks when it is read back is appended again (M51)`() throws {
    let store = try filled()
    let before = try TemporaryFolder.read(ledgerPath)
    let path = ledgerPath
    let isReplaced = Lock(false)
    // Whoever folds the ledger replaces it; here by what it was before the stamp.
    files.before(.open) { opened in
      guard opened == path,
        isReplaced.withLock({ was in
          defer { was = true }
          return !was
        })
      else { return }
      try? TemporaryFolder.write(before, to: path + "-other")
      try? POSIXFileSystem().rename(path + "-other", to: path)
    }
    try remove(["red"], from: store)
    files.heal()
    #expect(isReplaced.withLock { $0 })
    for store in [store, try fixture.open()] {
      #expect(try !isThere("red", in: store))
      for name in ["plain", "blue"] { #expect(try isThere(name, in: store)) }
    }
  }

  @Test(arguments: [false, true])
  func `a removal by very many tags takes only what carries one of them (B318)`(
    expires: Bool
  ) throws {
    let store = try filled()
    let tags = (0..<13_000).map { CacheAside.Tag("tag-\($0)") }
    for index in [0, 6_500, 12_999] { try set([tags[index]], "\(index)", in: store) }
    let now = fixture.clock.wallMicroseconds
    let verb = StoreInvalidation.Verb.expire(at: now, staleIfError: 1_000_000, keepExpired: 0)
    try store.invalidateBlocking(
      StoreInvalidation(expires ? verb : .remove, .anyOf(tags), in: home)
    )
    for store in [store, try fixture.open()] {
      for name in ["plain", "red", "blue"] { #expect(try isThere(name, in: store)) }
      for index in [0, 6_500, 12_999] {
        let entry = try store.entryBlocking(for: diskKey("\(index)"))
        #expect(entry?.isExpiredByHand ?? true)
        #expect(expires || entry == nil)
      }
    }
    #expect(try POSIXFileSystem().status(at: ledgerPath).size < 2_000_000)
    #expect(fixture.reported.isEmpty)
  }

  @Test func `a removal by very many tags together takes only what carries them (B318)`() throws {
    let store = try filled()
    let tags = (0..<20_000).map { CacheAside.Tag("tag-\($0)") }
    try store.invalidateBlocking(StoreInvalidation(.remove, .allOf(tags + ["red"]), in: home))
    for store in [store, try fixture.open()] {
      for name in ["plain", "red", "blue"] { #expect(try isThere(name, in: store)) }
    }
    #expect(fixture.reported.isEmpty)
  }

  @Test
  func `removals by many tags, one by one, take only what carries them, and cost the same (B318b)`()
    throws
  {
    let store = try filled()
    for index in [0, 299, 4_999] {
      try set([CacheAside.Tag("tag-\(index)")], "\(index)", in: store)
    }
    func cost(_ range: Range<Int>) throws -> Int {
      files.resetCounts()
      for index in range { try remove([CacheAside.Tag("tag-\(index)")], from: store) }
      return (files.bytesRead + files.bytesWritten) / range.count
    }
    let few = try cost(0..<300)
    let many = try cost(300..<5_000)
    #expect(few < 400)
    #expect(many < 2 * few)
    for store in [store, try fixture.open()] {
      for name in ["plain", "red", "blue"] { #expect(try isThere(name, in: store)) }
      for index in [0, 299, 4_999] { #expect(try !isThere("\(index)", in: store)) }
    }
    #expect(fixture.reported.isEmpty)
  }
}
