import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60))) struct DiskStoreBackgroundTests {
  let fixture: DiskFixture
  var clock: DiskClock { fixture.clock }

  init() throws { fixture = try DiskFixture() }

  @Test func `one shard is swept each tick, and a round removes what is expired`() async throws {
    let store = try fixture.open(sweepInterval: .seconds(256))
    for index in 0..<20 {
      try store.setBlocking(fixture.entry([1], seconds: 1), for: diskKey("\(index)"))
    }
    await clock.untilSomebodySleeps()
    #expect(clock.nextPause == 1_000_000_000)
    for _ in 0..<256 {
      clock.advance(by: .seconds(1))
      await clock.untilSomebodySleeps()
    }
    #expect(TemporaryFolder.filePaths(in: fixture.path).isEmpty)
    #expect(clock.work == 0)
    await store.close()
  }

  @Test func `an idle store is swept ever more rarely, until it is used`() async throws {
    let store = try fixture.open(sweepInterval: .seconds(256))
    try store.setBlocking(fixture.entry([1]), for: diskKey("k"))
    let pauses: [Int64] = [1_000_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000]
    for pause in pauses {
      await clock.untilSomebodySleeps()
      #expect(clock.nextPause == pause)
      for _ in 0..<256 {
        clock.advance(by: .seconds(8))
        await clock.untilSomebodySleeps()
      }
    }
    _ = try store.entryBlocking(for: diskKey("k"))
    while clock.nextPause != 1_000_000_000 { await Task.yield() }
    await store.close()
  }

  @Test func `background work does not keep the store alive`() async throws {
    weak var released: DiskStore?
    do {
      let store = try fixture.open()
      released = store
      try store.setBlocking(fixture.entry([1]), for: diskKey("k"))
      await clock.untilSomebodySleeps()
    }
    #expect(released == nil)
    while clock.sleepers > 0 { await Task.yield() }
  }

  @Test func `nothing runs in the background before the first use or after close`() async throws {
    let store = try fixture.open()
    #expect(clock.sleepers == 0)
    _ = try store.entryBlocking(for: diskKey("k"))
    await clock.untilSomebodySleeps()
    await store.close()
    while clock.sleepers > 0 { await Task.yield() }
    try store.setBlocking(fixture.entry([1]), for: diskKey("k"))
    #expect(try store.entryBlocking(for: diskKey("k")) != nil)
    #expect(clock.sleepers == 0)
  }

  @Test func `B102 ten thousand concurrent operations all finish`() async throws {
    let store = try fixture.open(limit: .megabytes(100))
    let entry = fixture.entry([1, 2, 3])
    let hits = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<10_000 {
        group.addTask {
          let key = diskKey("\(index / 2)")
          if index % 2 == 0 { try await store.set(entry, for: key) }
          return try await store.entry(for: key) == entry
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(hits >= 5_000)
    let usage = try await store.usage()
    #expect(usage.entries == 5_000)
    #expect(usage.bytes == (try TemporaryFolder.size(of: fixture.path)))
    #expect(clock.work == 0)
  }

  @Test func `S3 a cancelled caller's write is done whole`() async throws {
    let store = try fixture.open()
    let entry = fixture.entry([1, 2, 3])
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await store.set(entry, for: diskKey("k"))
    }
    try await task.value
    #expect(try await store.entry(for: diskKey("k")) == entry)
  }

  @Test func `S6 asynchronous work runs on the store's threads, which the clock knows of`()
    async throws
  {
    let store = try fixture.open()
    let clock = clock
    let work = try await store.onStoreThread { clock.work }
    #expect(work == 1)
    struct Boom: Error {}
    await #expect(throws: Boom.self) {
      try await store.onStoreThread { throw Boom() }
    }
    #expect(clock.work == 0)
    try await store.set(fixture.entry([1], seconds: 1), for: diskKey("k"))
    try await store.remove(diskKey("k"))
    try await store.set(fixture.entry([1], seconds: 1), for: diskKey("k"))
    clock.advance(by: .seconds(1))
    #expect(try await store.removeExpired() == 1)
    try await store.set(fixture.entry([1]), for: diskKey("k"))
    try await store.removeAll(in: nil)
    #expect(try await store.entry(for: diskKey("k")) == nil)
  }
}
