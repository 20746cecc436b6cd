import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct NestedScopeTests {
  typealias Setup = SelectorFixture.Setup

  private static let ada: CacheScope = ["user": "ada"]
  private static let within: [CacheScope] = [
    ada, ["tenant": "north", "user": "ada"], ["device": "2", "locale": "de", "user": "ada"],
  ]
  private static let apart: [CacheScope] = [
    .none, ["tenant": "ada"], ["user": "bob"], ["tenant": "north", "user": "bob"],
    ["tenant": "north"],
  ]

  private func values(
    of scopes: [CacheScope],
    in cache: Cache<CacheKey, Int>
  ) async throws -> [Int?] {
    var values: [Int?] = []
    for scope in scopes {
      values.append(try await Caches.withScope(scope) { try await cache.value(for: "k") })
    }
    return values
  }

  private func fill(_ caches: Caches) async throws -> Cache<CacheKey, Int> {
    let cache = try caches["f"].cache(CacheKey.self, Int.self)
    for scope in Self.within + Self.apart {
      try await Caches.withScope(scope) { try await cache.set(1, for: "k") }
    }
    return cache
  }

  private func expectGone(_ cache: Cache<CacheKey, Int>) async throws {
    #expect(try await values(of: Self.within, in: cache) == Self.within.map { _ in nil })
    #expect(try await values(of: Self.apart, in: cache) == Self.apart.map { _ in 1 })
  }

  @Test(arguments: Setup.allCases, [false, true])
  func `a scope's removal or expiry reaches every scope that contains its parts (B371b)`(
    setup: Setup,
    expires: Bool
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try await fill(try fixture.open())
    if expires {
      try await cache.expire(.namespace(Self.ada))
    } else {
      try await cache.remove(.namespace(Self.ada))
    }
    try await expectGone(cache)
    if setup.hasStore {
      try await expectGone(try fixture.open()["f"].cache(CacheKey.self, Int.self))
    }
    // What is stored afterwards is there, in every scope.
    for scope in Self.within {
      try await Caches.withScope(scope) { try await cache.set(2, for: "k") }
    }
    #expect(try await values(of: Self.within, in: cache) == Self.within.map { _ in 2 })
  }

  @Test(arguments: Setup.allCases)
  func `a scope's removal on the calling thread reaches what is within it (B371b)`(
    setup: Setup
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let caches = try fixture.open()
    let cache = try await fill(caches)
    try caches["f"].core.removeBlocking(.namespace(Self.ada))
    try await expectGone(cache)
  }

  @Test(arguments: Setup.allCases)
  func `a load in a scope that contains the removed parts is not stored (B371b)`(
    setup: Setup
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let producer = GatedProducer<Int>()
    let loads = Self.within.map { scope in
      Caches.withScope(scope) { Task { try await cache.cached("k") { try await producer() } } }
    }
    try await producer.waitForRuns(Self.within.count)
    try await cache.remove(.namespace(Self.ada))
    for _ in loads { producer.release(5) }
    for load in loads { #expect(try await load.value == 5) }
    #expect(try await values(of: Self.within, in: cache) == Self.within.map { _ in nil })
  }

  @Test(arguments: Setup.allCases)
  func `a scope's refresh loads again what is within it (B371b)`(setup: Setup) async throws {
    let fixture = try SelectorFixture(setup)
    let clock = fixture.clock
    try await clock.run {
      let cache = try await fill(try fixture.open())
      // A record is due when it was made before the request.
      try await clock.advance(by: .seconds(1))
      try cache.refresh(.namespace(Self.ada))
      for scope in Self.within + Self.apart {
        let producer = CountingProducer<Int> { $0 }
        try await Caches.withScope(scope) {
          _ = try await cache.cached("k") { try await producer() }
        }
        try await clock.settle()
        #expect(producer.calls == (Self.within.contains(scope) ? 1 : 0), "\(scope)")
      }
    }
  }

  @Test func `a barrier of a scope holds back what is within it (B371b)`() {
    let tombstones = Tombstones()
    let home = Namespace("f")
    let entry = CacheEntry(payload: nil, codec: .raw, type: 0, created: 5)
    func admits(_ scope: CacheScope) -> Bool {
      tombstones.admits(CacheKey(text: "k", namespace: home.scoped(scope)), entry, 1_000)
    }
    tombstones.putBarrier(.clear(home.scoped(Self.ada)), wall: 10)
    for scope in Self.within { #expect(!admits(scope)) }
    for scope in Self.apart { #expect(admits(scope)) }
    tombstones.lift(.clear(home), upTo: .max)
    #expect(admits(Self.ada))
  }

  @Test func `the bytes of a key tell whether a scope covers it (B371b)`() {
    let home = Namespace("f", version: 2)
    for scope in Self.within + Self.apart {
      let key = CacheKey(text: "a;user=ada:b", namespace: home.scoped(scope))
      let isWithin = Self.within.contains(scope)
      #expect(home.scoped(Self.ada).covers(keyBytes: key.bytes) == isWithin)
      #expect(home.covers(keyBytes: key.bytes))
      #expect(!Namespace("f").scoped(Self.ada).covers(keyBytes: key.bytes))
    }
  }

  @Test func `more sets of part names than are kept apart lose entries, no removal (B371b)`() {
    let home = Namespace("f")
    let stamps = InvalidationStamps()
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    let requests = RefreshRequests()
    let before = ledger.mark
    let names = (0..<ScopeShapes.limit + 8).map { "part\($0)" }
    for (index, name) in names.enumerated() {
      let scope = CacheScope([name: "x"])
      stamps.stamp(scope)
      requests.note(.namespace(scope), keys: [], at: Int64(10 + index))
      let removal = StoreInvalidation(.remove, .everything, in: home.scoped(scope))
      for stamp in DiskLedger.Stamp.stamps(of: removal) { ledger.add(stamp) }
    }
    var entry = CacheEntry(
      payload: [1],
      codec: .raw,
      type: 1,
      created: 5,
      freshUntil: .max,
      keptUntil: .max
    )
    entry.metadata.loadMark = before
    for name in names {
      let inner = home.scoped(["other": "y", name: "x"])
      #expect(stamps.isOut(EntryTerms(namespace: inner)), "\(name)")
      #expect(ledger.judged(entry, in: inner) == nil, "\(name)")
      #expect(requests.reach(CacheKey(text: "k", namespace: inner), entry, wall: 1_000), "\(name)")
    }
    // What began after all of them is valid.
    entry.metadata.loadMark = ledger.mark
    let last = home.scoped(["other": "y", names[0]: "x"])
    #expect(!stamps.isOut(EntryTerms(namespace: last, begun: stamps.now)))
    #expect(ledger.judged(entry, in: last) != nil)
  }

  @Test func `a folded ledger that is read again still reaches nested scopes (B371b)`() throws {
    let home = Namespace("f")
    var ledger = DiskLedger.fresh(admitsUnmarked: true)
    var entry = CacheEntry(
      payload: [1],
      codec: .raw,
      type: 1,
      created: 5,
      freshUntil: .max,
      keptUntil: .max
    )
    entry.metadata.loadMark = ledger.mark
    let users = (0..<200).map { "user\($0)" }
    for user in users {
      let removal = StoreInvalidation(.remove, .everything, in: home.scoped(["user": user]))
      for stamp in DiskLedger.Stamp.stamps(of: removal) { ledger.add(stamp) }
    }
    let again = try DiskLedgerFile(DiskLedgerFile.bytes(of: ledger.folded(to: 10))).ledger
    for user in users {
      let inner = home.scoped(["tenant": "x", "user": user])
      #expect(again.judged(entry, in: inner) == nil, "\(user)")
    }
    #expect(again.judged(entry, in: home.scoped(["tenant": "x", "user": "other"])) != nil)
  }

  @Test func `a look for a scope costs a set of names each, not one each subset (B371b)`() {
    var shapes = ScopeShapes()
    for index in 0..<1_000 {
      let hasRoom = shapes.insert(["user": "\(index)"])
      let hasRoomForTwo = shapes.insert(["tenant": "\(index)", "user": "\(index)"])
      #expect(hasRoom && hasRoomForTwo)
    }
    var scope = CacheScope.none
    for index in 0..<20 { scope = scope.adding("part\(index)", "x") }
    scope = scope.adding("user", "7").adding("tenant", "1")
    #expect(shapes.enclosing(scope) == [["user": "7"], ["tenant": "1", "user": "7"]])
    #expect(shapes.enclosing(["user": "7"]) == [])
  }
}
