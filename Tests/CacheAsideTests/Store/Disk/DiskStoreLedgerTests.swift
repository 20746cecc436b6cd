import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// What was counted first.
private final class CallCount: Sendable {
  private let value = Atomic<Int>(0)

  var first: Int { value.load(ordering: .relaxed) }

  func note(_ count: Int) {
    _ = value.compareExchange(expected: 0, desired: count, ordering: .relaxed)
  }
}

/// Two stores on one folder know nothing of each other, as in two processes.
@Suite(.timeLimit(.minutes(60))) struct DiskStoreLedgerTests {
  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture
  let home = Namespace("feature")
  let key = diskKey("k")

  init() throws { fixture = try DiskFixture(files: files) }

  private func tagged(_ payload: [UInt8] = [1], _ tags: [CacheAside.Tag] = ["red"]) -> CacheEntry {
    var entry = fixture.entry(payload, seconds: 100, keptSeconds: 200)
    entry.metadata.tags = tags
    return entry
  }

  private func remove(_ tag: CacheAside.Tag, from store: DiskStore) throws {
    try store.invalidateBlocking(StoreInvalidation(.remove, .anyOf([tag]), in: home))
  }

  private var ledgerPath: String { fixture.path + "/ledger" }

  @Test func `a removal by tag reaches what is stored, in every process and after a restart`()
    throws
  {
    let (store, other) = (try fixture.open(), try fixture.open())
    try store.setBlocking(tagged(), for: key)
    try other.setBlocking(tagged([2], ["blue"]), for: diskKey("blue"))
    #expect(try other.entryBlocking(for: key)?.payload == [1])
    #expect(!TemporaryFolder.filePaths(in: fixture.path).contains(ledgerPath))
    try remove("red", from: other)
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try fixture.open().entryBlocking(for: key) == nil)
    #expect(try store.entryBlocking(for: diskKey("blue")) == tagged([2], ["blue"]))
    // What is written from now on stays, here and there.
    try store.setBlocking(tagged([3]), for: key)
    #expect(try other.entryBlocking(for: key) == tagged([3]))
    #expect(try fixture.open().entryBlocking(for: key) == tagged([3]))
  }

  @Test func `B013 what began before a removal by another process is never read`() throws {
    let (store, other) = (try fixture.open(), try fixture.open())
    try remove("blue", from: store)
    let mark = try #require(store.loadMark)
    try remove("red", from: other)
    var late = tagged()
    late.metadata.loadMark = mark
    try store.setBlocking(late, for: key)
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(try other.entryBlocking(for: key) == nil)
    // The same where there was no ledger when the load began.
    late.metadata.loadMark = LoadMark.none
    try store.setBlocking(late, for: key)
    #expect(try other.entryBlocking(for: key) == nil)
  }

  @Test func `an expiry by tag leaves the record for a failing load, and prolongs nothing`() throws
  {
    let (store, other) = (try fixture.open(), try fixture.open())
    var entry = tagged()
    entry.metadata.staleIfErrorEnd = entry.keptUntil
    try store.setBlocking(entry, for: key)
    fixture.clock.advance(by: .seconds(10))
    let now = fixture.clock.wallMicroseconds
    let verb = StoreInvalidation.Verb.expire(at: now, staleIfError: 5_000_000_000, keepExpired: 0)
    try other.invalidateBlocking(StoreInvalidation(verb, .anyOf(["red"]), in: home))
    let expired = try #require(try store.entryBlocking(for: key))
    #expect(expired.isExpiredByHand)
    #expect(expired.freshUntil == now)
    #expect(expired.keptUntil == now + 5_000_000)
    #expect(try store.removeBlocking(key, ifUnchanged: expired))
    #expect(try store.entryBlocking(for: key) == nil)
  }

  @Test func `B015 a removal of everything, and what is left leaves behind it`() async throws {
    let (store, other) = (try fixture.open(), try fixture.open())
    try remove("none", from: store)
    let mark = try #require(store.loadMark)
    for index in 0..<1_000 {
      try store.setBlocking(fixture.entry([1]), for: diskKey("\(index)"))
    }
    #expect(try store.usageBlocking().entries == 1_000)
    files.resetCounts()
    let calls = CallCount()
    files.before(.rename) { [files] _ in calls.note(files.calls) }
    try store.removeAllBlocking(in: nil)
    files.heal()
    // Then the new ledger has its name, and all are out.
    #expect((1...12).contains(calls.first))
    var late = fixture.entry([1])
    late.metadata.loadMark = mark
    try other.setBlocking(late, for: diskKey("late"))
    try other.setBlocking(fixture.entry([2]), for: diskKey("new"))
    for name in ["1", "999", "late"] {
      #expect(try other.entryBlocking(for: diskKey(name)) == nil)
      #expect(try store.entryBlocking(for: diskKey(name)) == nil)
    }
    let fixture = fixture
    await until { (try? fixture.open().usageBlocking().entries) == 1 }
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.entryBlocking(for: diskKey("new"))?.payload == [2])
    #expect(try store.usageBlocking().bytes == fixture.open().usageBlocking().bytes)
  }

  @Test func `an invalidation makes as many calls with 1,000 records as with one`() throws {
    let store = try fixture.open()
    try store.setBlocking(tagged(), for: key)
    try remove("first", from: store)
    var costs: [Int] = []
    for count in [1, 1_000] {
      for index in 0..<count { try store.setBlocking(tagged(), for: diskKey("\(index)")) }
      files.resetCounts()
      try remove("red", from: store)
      costs.append(files.calls)
    }
    #expect(costs[0] == costs[1])
    #expect(costs[0] <= 12)
    files.resetCounts()
    // Reading one that is out removes it.
    #expect(try store.entryBlocking(for: diskKey("7")) == nil)
    #expect(files.calls <= 12)
    try store.setBlocking(tagged(), for: key)
    files.resetCounts()
    #expect(try store.entryBlocking(for: key) != nil)
    #expect(files.calls <= 6)
  }

  @Test func `the sweep removes what is out, and totals stay right`() throws {
    let store = try fixture.open()
    for index in 0..<100 {
      let tag: CacheAside.Tag = index.isMultiple(of: 2) ? "even" : "odd"
      try store.setBlocking(tagged([1], [tag]), for: diskKey("\(index)"))
    }
    #expect(try store.usageBlocking().entries == 100)
    try remove("even", from: fixture.open())
    for shard in 0..<256 { try store.sweep(shard) }
    #expect(try store.usageBlocking().entries == 50)
    #expect(try store.usageBlocking().bytes == fixture.open().usageBlocking().bytes)
    files.resetCounts()
    for shard in 0..<256 { #expect(try store.clear(shard) == 0) }
    // Nothing is read twice while the ledger stays.
    #expect(files.count(of: .open) == 0)
  }

  @Test func `stamps of many writers are all kept`() async throws {
    let fixture = fixture
    let home = home
    let stores = try (0..<4).map { _ in try fixture.open() }
    for index in 0..<200 {
      try stores[0].setBlocking(tagged([1], [CacheAside.Tag("\(index)")]), for: diskKey("\(index)"))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (offset, store) in stores.enumerated() {
        group.addTask {
          for index in stride(from: offset, to: 200, by: 4) {
            let tags = StoreInvalidation.Selection.anyOf([CacheAside.Tag("\(index)")])
            try await store.invalidate(StoreInvalidation(.remove, tags, in: home))
          }
        }
      }
      try await group.waitForAll()
    }
    let reader = try fixture.open()
    for index in 0..<200 { #expect(try reader.entryBlocking(for: diskKey("\(index)")) == nil) }
    #expect(reader.loadMark?.sequence == 200)
    #expect(fixture.reported.isEmpty)
  }

  @Test func `a ledger that grows is folded, and what was stamped stays so`() throws {
    let (store, other) = (try fixture.open(), try fixture.open())
    try store.setBlocking(tagged(), for: key)
    try remove("red", from: store)
    try store.setBlocking(tagged([2], ["blue"]), for: key)
    let long = String(repeating: "x", count: 8_000)
    for index in 0..<50 { try remove(CacheAside.Tag(long + "\(index % 3)"), from: store) }
    let size = try POSIXFileSystem().status(at: ledgerPath).size
    #expect(size < DiskStore.ledgerLimit)
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp") == ["ledger.rewritten"])
    #expect(try other.entryBlocking(for: key)?.payload == [2])
    try remove("blue", from: other)
    #expect(try store.entryBlocking(for: key) == nil)
    #expect(fixture.reported.isEmpty)
  }

  @Test func `others learn what was invalidated, and not what they did themselves`() async throws {
    let (store, other) = (try fixture.open(), try fixture.open())
    let start = try await store.changes(since: nil)
    #expect(start.mark == LoadMark.none)
    try remove("mine", from: store)
    try remove("red", from: other)
    let changes = try await store.changes(since: start.mark)
    #expect(changes.invalidations.map(\.selection) == [.allOf(["red"])])
    #expect(!changes.isEverything)
    #expect(try await store.changes(since: changes.mark).invalidations.isEmpty)
    try store.removeAllBlocking(in: nil)
    let own = try await store.changes(since: changes.mark)
    #expect(!own.isEverything)
    #expect(try await other.changes(since: changes.mark).isEverything)
  }
}
