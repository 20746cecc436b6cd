import CacheAsideTesting
import Dispatch
import Synchronization
import Testing

@testable import CacheAside

private enum EngineErrno {
  static let access: Int32 = 13
}

/// What is removed is erased when `flush`, `close` or a removal that erases returns.
@Suite(.timeLimit(.minutes(60))) struct DiskStoreErasingTests {
  enum Way: CaseIterable { case flush, close, erasing }
  enum Removal: CaseIterable { case scope, tag, all }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path + "/cache" }

  private func caches(_ files: any FileSystem = POSIXFileSystem()) throws -> Caches {
    let disk = try DiskStore(
      directory: path,
      limit: .unlimited,
      sweepInterval: DiskFixture.noSweeps,
      files: files
    )
    return try Caches {
      Feature("f") {
        Memory()
        Store(disk)
      }
    }
  }

  /// The files below the store's folder that hold some text.
  private func files(with text: String) throws -> [String] {
    let wanted = Array(text.utf8)
    return try TemporaryFolder.filePaths(in: path).filter { file in
      let bytes = try bytes(of: file)
      return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
  }

  private func bytes(of file: String) throws -> [UInt8] {
    let system = POSIXFileSystem()
    let descriptor = try system.open(file)
    defer { try? system.close(descriptor) }
    let size = try system.status(of: descriptor).size
    return try system.read(descriptor, at: 0, count: size)
  }

  private func write(_ text: String, to file: String) throws {
    let system = POSIXFileSystem()
    let descriptor = try system.create(file, .none)
    try system.write(descriptor, Array(text.utf8))
    try system.close(descriptor)
  }

  private func fill(_ caches: Caches) async throws -> Cache<CacheKey, String> {
    let cache = try caches["f"].cache(CacheKey.self, String.self)
    for index in 0..<40 {
      try await Caches.withScope(["tenant": "x", "user": "ada"]) {
        try await cache.set("SECRET\(index)", for: "PRIVATE/\(index)", tags: ["ada"])
      }
    }
    try await Caches.withScope(["user": "bob"]) { try await cache.set("KEPT", for: "k") }
    // What is removed by tag or scope is stamped from now on.
    try await cache.remove(.tag("none"))
    return cache
  }

  @Test(arguments: Way.allCases, Removal.allCases)
  func `keys and values of what was removed are erased (B371)`(
    way: Way,
    removal: Removal
  ) async throws {
    let caches = try caches()
    let cache = try await fill(caches)
    // What a process left that died while it wrote.
    try write("half of SECRET", to: path + "/tmp/1-dead-1")
    let selector: CacheSelector =
      switch removal {
      case .scope: .namespace(["user": "ada"])
      case .tag: .tag("ada")
      case .all: .all
      }
    switch way {
    case .flush:
      try await cache.remove(selector)
      try await caches.flush()
    case .close:
      try await cache.remove(selector)
      try await caches.close()
    case .erasing:
      try await cache.remove(selector, erasing: true)
    }
    #expect(try files(with: "SECRET") == [])
    #expect(try files(with: "PRIVATE") == [])
    #expect(try files(with: "KEPT").isEmpty == (removal == .all))
  }

  @Test func `a removal of everything erases also without a ledger (B371)`() async throws {
    let caches = try caches()
    let cache = try caches["f"].cache(CacheKey.self, String.self)
    try await cache.set("SECRET", for: "PRIVATE")
    try write("half of SECRET", to: path + "/tmp/1-dead-1")
    try await caches["f"].removeAll(erasing: true)
    #expect(try files(with: "SECRET") == [])
    try await cache.set("SECRET", for: "PRIVATE")
    try write("half of SECRET", to: path + "/tmp/1-dead-1")
    try await cache.remove("PRIVATE")
    try await caches.flush()
    #expect(try files(with: "SECRET") == [])
  }

  @Test(arguments: Way.allCases)
  func `what cannot be erased is thrown and erased by the next try (B371)`(way: Way) async throws {
    let system = FaultInjectingFileSystem()
    let caches = try caches(system)
    let cache = try await fill(caches)
    func erase() async throws {
      switch way {
      case .flush: try await caches.flush()
      case .close: try await caches.close()
      case .erasing: try await cache.remove(.tag("other"), erasing: true)
      }
    }
    try await cache.remove(.tag("ada"))
    system.fail(.rename, with: EngineErrno.access)
    system.fail(.unlink, with: EngineErrno.access)
    let error = await #expect(throws: CacheError.self) { try await erase() }
    #expect(error?.code == .removalFailed)
    #expect(
      try await Caches.withScope(["tenant": "x", "user": "ada"]) {
        guard way != .close else { return true }
        return try await cache.value(for: "PRIVATE/1") == nil
      }
    )
    system.heal()
    guard way != .close else { return }
    try await erase()
    #expect(try files(with: "SECRET") == [])
  }

  @Test func `an erasing walk opens a record once, and none where nothing was removed (B371)`()
    async throws
  {
    for count in [40, 400] {
      let system = FaultInjectingFileSystem()
      let fixture = try DiskFixture(files: system)
      let store = try fixture.open()
      for index in 0..<count {
        var entry = fixture.entry([1])
        entry.metadata.tags = index < 4 ? ["red"] : []
        try store.setBlocking(entry, for: diskKey("k\(index)"))
      }
      let home = Namespace("feature")
      try store.invalidateBlocking(
        StoreInvalidation(
          .expire(at: 0, staleIfError: 0, keepExpired: 0),
          .anyOf(["blue"]),
          in: home
        )
      )
      system.resetCounts()
      try await store.flush()
      #expect(system.calls == 0)
      try store.invalidateBlocking(StoreInvalidation(.remove, .anyOf(["red"]), in: home))
      system.resetCounts()
      try await store.flush()
      #expect(system.count(of: .open) <= count + 10)
      #expect(TemporaryFolder.filePaths(in: fixture.path).count == count - 4 + 1)
      system.resetCounts()
      try await store.flush()
      #expect(system.calls == 0)
    }
  }

  @Test func `after close nothing of the store runs in the background (B364)`() async throws {
    let system = FaultInjectingFileSystem()
    let fixture = try DiskFixture(files: system)
    let store = try fixture.open()
    for index in 0..<40 {
      try store.setBlocking(fixture.entry([1]), for: diskKey("k\(index)"))
    }
    let scope = Namespace("feature", scope: ["user": "ada"])
    try store.removeAllBlocking(in: scope)
    await store.close()
    system.resetCounts()
    for _ in 0..<1_000 { await Task.yield() }
    #expect(system.calls == 0)
  }

  @Test func `removals of scopes clear the folder once for all that came meanwhile (B380)`()
    async throws
  {
    let system = FaultInjectingFileSystem()
    let fixture = try DiskFixture(files: system)
    let store = try fixture.open()
    for index in 0..<40 {
      try store.setBlocking(fixture.entry([1]), for: diskKey("k\(index)"))
    }
    func remove(_ user: Int) throws {
      try store.removeAllBlocking(in: Namespace("feature", scope: ["user": "\(user)"]))
    }
    let hasBegun = Lock(false)
    let goesOn = DispatchSemaphore(value: 0)
    system.before(.list) { _ in
      hasBegun.withLock { $0 = true }
      goesOn.wait()
    }
    try remove(0)
    while !hasBegun.withLock({ $0 }) { await Task.yield() }
    system.before(.list) { _ in }
    for user in 1..<100 { try remove(user) }
    goesOn.signal()
    while store.clearingAsked.load(ordering: .acquiring) > 0 { await Task.yield() }
    let lists = system.count(of: .list)
    #expect(lists > DiskLayout.shardCount && lists <= 2 * DiskLayout.shardCount)
    try remove(100)
    while store.clearingAsked.load(ordering: .acquiring) > 0 { await Task.yield() }
    #expect(system.count(of: .list) - lists == DiskLayout.shardCount)
    await store.close()
  }

  @Test func `a file that cannot be closed is reported outside the locks (B386)`() async throws {
    let system = FaultInjectingFileSystem()
    let fixture = try DiskFixture(files: system)
    let naming: @Sendable (CacheKey) -> String = { "00" + $0.fileName }
    let first = try fixture.open(naming: naming)
    for index in 0..<80 {
      try first.setBlocking(fixture.entry([1]), for: diskKey("k\(index)"))
    }
    try first.removeExpiredBlocking(includingKept: false)
    let store = try DiskStore(
      folder: fixture.path,
      isPermanent: false,
      limit: .unlimited,
      durability: .process,
      protection: .none,
      sweepInterval: DiskFixture.noSweeps,
      time: fixture.clock.source,
      files: system,
      naming: naming
    )
    let usages = EventRecorder<Int>()
    let reported = Counter()
    store.attach(
      StoreContext(time: fixture.clock.source) { [weak store] _, _, _ in
        reported.add()
        // Waits for ever, or traps, where the shard is locked.
        if let usage = try? store?.usageBlocking() { usages.record(usage.entries ?? 0) }
      }
    )
    system.fail(.close, with: EngineErrno.access, times: 1)
    _ = try store.usageBlocking()
    #expect(reported.count == 1)
    #expect(usages.events == [80])
  }

  @Test func `an erasure during a removal does not count for it (B371)`() throws {
    let files = FaultInjectingFileSystem()
    let fixture = try DiskFixture(files: files)
    let store = try fixture.open()
    let namespace = Namespace("feature")
    func remove(_ tag: CacheAside.Tag, from store: DiskStore) throws {
      try store.invalidateBlocking(StoreInvalidation(.remove, .anyOf([tag]), in: namespace))
    }
    try remove("none", from: store)
    var record = fixture.entry([1], seconds: 100, keptSeconds: 200)
    record.metadata.tags = ["t"]
    try store.setBlocking(record, for: diskKey("k"))
    let other = try fixture.open()
    let erasures = Counter()
    // Its first call of the file system looks for the ledger; the stamp comes later.
    files.before(.open) { _ in
      if erasures.count > 0 { return }
      erasures.add()
      try? other.erase()
    }
    try remove("t", from: other)
    #expect(erasures.count == 1)
    #expect(other.stampedDebt.isOwed)
    try other.erase()
    #expect(!other.stampedDebt.isOwed)
    #expect(try fixture.open().usageBlocking().entries == 0)
  }

  @Test func `reports that are held within a lock wait for the lock around it, too (B386)`() {
    let order = EventRecorder<String>()
    HeldReports.hold {
      HeldReports.hold {
        HeldReports.report { order.record("report") }
        order.record("inner")
      }
      order.record("outer")
    }
    #expect(order.events == ["inner", "outer", "report"])
  }
}
