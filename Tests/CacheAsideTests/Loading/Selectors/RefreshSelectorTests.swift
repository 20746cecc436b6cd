import CacheAsideTesting
import Testing

@testable import CacheAside

/// The third verb: serve what is there, load it again behind.
@Suite(.timeLimit(.minutes(60)))
struct RefreshSelectorTests {
  typealias Setup = SelectorFixture.Setup

  private static let names = ["a", "b", "c", "d", "n"]

  /// The key of an entry, in its scope.
  private func scoped(_ name: String, _ body: (CacheKey) async throws -> Void) async throws {
    guard name == "n" else { return try await body(CacheKey(stringLiteral: name)) }
    try await Caches.withScope(SelectorFixture.north) { try await body("a") }
  }

  /// The entries of `SelectorTests.Choice`, a second ago.
  private func fill(_ cache: Cache<CacheKey, Int>, _ clock: ManualClock) async throws {
    try await cache.load("a", 1, "red")
    try await cache.load("b", 1, "blue", "red")
    try await clock.advance(by: .seconds(5))
    try await cache.load("c", 1, "blue")
    try await cache.load("d", 1)
    try await scoped("n") { try await cache.load($0, 1, "red") }
    try await clock.advance(by: .seconds(1))
  }

  @Test(arguments: Setup.allCases, SelectorTests.Choice.allCases)
  func `what is selected is served and loaded again behind its next read, and nothing else`(
    setup: Setup,
    choice: SelectorTests.Choice
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let clock = fixture.clock
    try await clock.run {
      try await fill(cache, clock)
      try cache.refresh(choice.selector)
      try await clock.settle()
      for name in Self.names {
        try await scoped(name) { key in
          #expect(cache.peek(key) == (setup.hasMemory ? 1 : nil), "\(name)")
          let read = try await cache.value(for: key)
          let outcome = try await cache.outcome(key) { Produced(2) }
          #expect(read == 1 && outcome.value == 1, "\(name)")
          if case .stale = outcome.source { Issue.record("\(name) counts as stale") }
        }
      }
      try await clock.settle()
      for name in Self.names {
        try await scoped(name) { key in
          for _ in 0..<2 {
            let value = try await cache.cached(key) { 3 }
            #expect(value == (choice.reached.contains(name) ? 2 : 1), "\(name)")
            try await clock.settle()
          }
        }
      }
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `one load runs, and when it fails the value stays and its producer rests`(
    setup: Setup
  ) async throws {
    let fixture = try SelectorFixture(setup)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let clock = fixture.clock
    try await clock.run {
      try await cache.load("k", 1, "t")
      try await clock.advance(by: .seconds(1))
      try cache.refresh(.tag("t"))
      let producer = CountingProducer<Int> { number in
        if number == 1 { throw EngineError.boom }
        return number
      }
      for _ in 0..<5 {
        #expect(try await cache.cached("k") { try await producer() } == 1)
        try await clock.settle()
      }
      #expect(producer.calls == 1)
      try await clock.advance(by: .seconds(10))
      #expect(try await cache.cached("k") { try await producer() } == 1)
      try await clock.settle()
      #expect(try await cache.cached("k") { try await producer() } == 2)
      try await clock.settle()
      #expect(producer.calls == 2)
    }
  }

  @Test func `what only a store holds is due when it is found`() async throws {
    let fixture = try SelectorFixture(.memoryAndTwoStores)
    let cache = try fixture.open()["f"].cache(CacheKey.self, Int.self)
    let clock = fixture.clock
    try await clock.run {
      try await cache.load("k", 1, "t", "u")
      try await cache.load("other", 1, "u")
      try await clock.advance(by: .seconds(1))
      cache.removeAllFromMemory()
      try cache.refresh(.tags(allOf: ["t", "u"]))
      // A read that never loads puts it into memory, where the next one finds it due.
      #expect(try await cache.value(for: "k") == 1)
      #expect(await cache.explain("k").rule == .refreshAhead)
      #expect(await cache.explain("other").rule == .fresh)
      for key: CacheKey in ["k", "other"] { #expect(try await cache.cached(key) { 2 } == 1) }
      try await clock.settle()
      #expect(try await cache.cached("k") { 3 } == 2)
      #expect(try await cache.cached("other") { 3 } == 1)
      #expect(await cache.explain("k").rule == .fresh)
    }
  }

  @Test(arguments: [false, true])
  func `functions keyed by arguments, batches, callbacks and all types are reached`(
    hasStore: Bool
  ) async throws {
    let clock = ManualClock()
    let store = ScanningStore()
    let feature = try Caches(time: clock.timeSource) {
      Feature("f", policy: CachePolicy(tags: ["t"])) {
        Memory()
        if hasStore { Store(store) }
      }
    }["f"]
    let producer = CountingProducer<Int> { $0 }
    let square = feature.cached("square") { (_: Int) in try await producer() }
    let text = feature.cached("text") { (_: Int, _: String) in "\(try await producer())" }
    let batch = feature.cachedBatch(key: { "b/\($0)" }) { (ids: [Int]) in
      let number = try await producer()
      return Dictionary(uniqueKeysWithValues: ids.map { ($0, number) })
    }
    let objects = feature.cache(String.self, Int.self)
    try await clock.run {
      for isSecond in [false, true] {
        let before = producer.calls
        _ = (try await square(1), try await text(1, "a"), try await batch([1, 2]))
        objects.setObject(
          forKey: "o",
          cacheBlock: { success, _ in success(isSecond ? 2 : 1, .never) },
          completion: { object, isLoadedFromCache, _ in
            #expect(object == 1 && isLoadedFromCache == isSecond)
          }
        )
        try await clock.settle()
        #expect(producer.calls == before + 3)
        try await clock.advance(by: .seconds(1))
        if !isSecond { try feature.refresh(.tag("t")) }
      }
      let all = (try await square(1), try await text(1, "a"), try await batch([1, 2]))
      #expect(producer.calls == 6)
      #expect(all.0 > 3 && Int(all.1) ?? 0 > 3 && all.2[1] ?? 0 > 3 && all.2[2] ?? 0 > 3)
      #expect(objects["o"] == 2)
      try feature.refresh(.key(square.key(for: 1)))
      _ = (try await square(1), try await text(1, "a"))
      try await clock.settle()
      #expect(producer.calls == 7)
    }
  }

  @Test func `an entry that expires by idleness, and one that never does, are loaded again`()
    async throws
  {
    for expiry in [Expiry.idle(.seconds(50), max: .seconds(500)), .never] {
      let clock = ManualClock()
      let cache = try Cache<String, Int>(name: "f", expiry: expiry, time: clock.timeSource) {
        Memory()
      }
      try await clock.run {
        #expect(try await cache.cached("k") { 1 } == 1)
        try cache.refresh(.all)
        #expect(try await cache.cached("k") { 2 } == 1)
        try await clock.settle()
        #expect(try await cache.cached("k") { 3 } == 2)
      }
    }
  }

  @Test func `by the system's clock a value is not older than its own record`() async throws {
    let cache = try Cache<String, Int>(name: "f") {
      Memory()
      Store(ScanningStore())
    }
    for round in 1...20 {
      try await cache.set(round, for: "k")
      try cache.refresh(.key("k"))
      #expect(try await cache.cached("k") { -round } == round)
      await until { cache.peek("k") == -round }
    }
  }

  @Test func `requests without room become one for everything`() {
    let requests = RefreshRequests(limit: 3)
    let record = CacheEntry(payload: [], codec: .raw, type: 0, schema: 0, created: 5)
    #expect(!requests.isInUse)
    requests.note(.tags(anyOf: ["a", "b", "c"]), keys: [], at: 10)
    requests.note(.tag("a"), keys: [], at: 11)
    #expect(requests.isInUse)
    #expect(!requests.reach("k", record, wall: 12))
    requests.note(.tag("d"), keys: [], at: 12)
    #expect(requests.reach("k", record, wall: 12))
    var later = record
    later.created = 12
    #expect(!requests.reach("k", later, wall: 12))
  }
}
