import CacheAsideTesting
import Testing

@testable import CacheAside

/// What is done by a printed key reaches every table that holds it.
@Suite struct PrintedKeyTests {
  static let setups: [Setup] = [.memory, .memoryAndDisk, .suspending]

  /// Caches of a feature `users`; again and again they have memory of their own.
  static func open(_ setup: Setup, _ fixture: CacheFixture) throws -> Caches {
    let disk = setup == .memoryAndDisk ? try fixture.disk() : nil
    return try Caches(time: fixture.clock.timeSource) {
      Feature("users") {
        if setup.hasMemory { Memory(.count(100_000)) }
        if let disk { Store(disk) }
        if setup == .suspending { Store(fixture.plain) }
      }
    }
  }

  @Test(arguments: setups)
  func `a write under a printed key is what the function returns (B368)`(_ setup: Setup)
    async throws
  {
    let fixture = try CacheFixture(setup)
    let caches = try Self.open(setup, fixture)
    let users = try caches["users"]
    let fetch = users.cached("fetch") { (id: Int) in "old \(id)" }
    let cache = users.cache(CacheKey.self, String.self)
    let key = fetch.key(for: 1)
    #expect(try await fetch(1) == "old 1")
    try await cache.set("new", for: key)
    #expect(try await fetch(1) == "new")
    #expect(try await fetch(2) == "old 2")
    if setup != .memory {
      users.removeAllFromMemory()
      #expect(try await fetch(1) == "new")
      let again = try Self.open(setup, fixture)["users"].cached("fetch") { (id: Int) in "old" }
      #expect(try await again(1) == "new")
    }
    // A store that suspends gets its part of a synchronous write in the background.
    try cache.setBlocking("blocking", for: key)
    try await caches.flush()
    #expect(try await fetch(1) == "blocking")
    cache[key] = "at once"
    try await caches.flush()
    #expect(try await fetch(1) == "at once")
    try await cache.update(key) { $0 = ($0 ?? "none") + "!" }
    #expect(try await fetch(1) == "at once!")
    #expect(try await users.cached(key: key, mode: .reload) { "loaded" } == "loaded")
    #expect(try await fetch(1) == "loaded")
    cache[key] = nil
    try await caches.flush()
    #expect(try await fetch(1) == "old 1")
  }

  @Test(arguments: setups)
  func `what a function loads is what a read by its printed key returns (B368)`(_ setup: Setup)
    async throws
  {
    let fixture = try CacheFixture(setup)
    let users = try Self.open(setup, fixture)["users"]
    let fetch = users.cached("fetch") { (id: Int) in "loaded \(id)" }
    let cache = users.cache(CacheKey.self, String.self)
    try await cache.set("old", for: fetch.key(for: 1))
    #expect(try await fetch(1) == "old")
    #expect(try await fetch(1, mode: .reload) == "loaded 1")
    #expect(try await cache.value(for: fetch.key(for: 1)) == "loaded 1")
    #expect(try await fetch(1) == "loaded 1")
  }

  @Test(arguments: setups)
  func `a string and the key that it prints as are one entry (B368)`(_ setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let caches = try Self.open(setup, fixture)
    let users = try caches["users"]
    let (strings, keys) = (
      users.cache(String.self, Int.self), users.cache(CacheKey.self, Int.self)
    )
    for text in ["me", "a/b", "100 %", "e\u{301}(1)", "%fetch(1)", ""] {
      let key: CacheKey = "\(text)"
      strings[text] = 1
      keys[key] = 2
      try await caches.flush()
      #expect(try await strings.value(for: text) == 2)
      try await strings.set(3, for: text)
      #expect(try await keys.value(for: key) == 3)
      try await keys.remove(key)
      #expect(try await strings.value(for: text) == nil)
    }
  }

  @Test func `a write leaves another type of value and another key alone (B368)`() async throws {
    let users = try Caches.inMemory["users"]
    let fetch = users.cached("fetch") { (id: Int) in "old \(id)" }
    #expect(try await fetch(1) == "old 1")
    let numbers = users.cache(CacheKey.self, Int.self)
    let texts = users.cache(CacheKey.self, String.self)
    try await numbers.set(7, for: fetch.key(for: 1))
    try await texts.set("other", for: CacheKey(name: "fetch", arguments: 10))
    try await texts.set("other", for: CacheKey(name: "fetches", arguments: 1))
    #expect(fetch.peek(1) == "old 1")
  }

  @Test(arguments: [true, false])
  func `no removal by a printed key misses an entry while others come and go (B376)`(hasTier: Bool)
    async throws
  {
    let store = hasTier ? try MemoryCacheStore(limits: .count(10)) : nil
    let caches = try Caches {
      Feature("users") {
        Memory(.count(2_000))
        if let store { Store(store) }
      }
    }
    let users = try caches["users"]
    let table = users.cache(Int.self, Int.self)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for part in 0..<4 {
        group.addTask {
          var kept = 0
          for id in stride(from: part, to: 6_000, by: 4) {
            try await table.set(id, for: id)
            guard id % 5 < 2 else { continue }
            try await users.remove(table.strategy.derive(id))
            if table.peek(id) != nil { kept += 1 }
          }
          return kept
        }
      }
      for try await kept in group { #expect(kept == 0) }
    }
    let held = Set(table.memory.keys())
    #expect(held.count > 100)
    let index = table.makeIndex()
    #expect(index.isComplete)
    for id in held { #expect(index.keys(printedAs: table.strategy.derive(id)) == [id]) }
  }

  @Test func `tables of arguments that print differently do not look each other up (B368)`()
    async throws
  {
    let users = try Caches.inMemory["users"]
    let (numbers, texts) = (
      users.cache(Int.self, Int.self), users.cache(ArgumentPair<Int, Int>.self, Int.self)
    )
    numbers[1] = 1
    texts[ArgumentPair(1, 2)] = 2
    #expect(!numbers.kinship.hasRelatives)
    #expect(!texts.kinship.hasRelatives)
    let small = users.cache(Int8.self, Int.self)
    small[1] = 3
    #expect(try await numbers.value(for: 1) == 3)
    numbers[1] = 4
    #expect(try await small.value(for: 1) == 4)
  }

  @Test func `under a scope a write reaches the function's entry of that scope only (B368)`()
    async throws
  {
    let users = try Caches.inMemory["users"]
    let fetch = users.cached("fetch") { (id: Int) in "old \(id)" }
    let cache = users.cache(CacheKey.self, String.self)
    #expect(try await fetch(1) == "old 1")
    try await Caches.withScope(["tenant": "a"]) { () async throws in
      #expect(try await fetch(1) == "old 1")
      try await cache.set("of a", for: fetch.key(for: 1))
      #expect(try await fetch(1) == "of a")
    }
    #expect(fetch.peek(1) == "old 1")
  }

  @Test func `a removal by a printed key ends the loads, back-offs and errors of it (B376)`()
    async throws
  {
    let fixture = try CacheFixture(.suspending)
    let caches = try Caches(time: fixture.clock.timeSource) {
      Feature("users", policy: CachePolicy().cachingErrors(of: EngineError.self, for: .minutes(5)))
      {
        Memory(.count(100))
        Store(fixture.plain)
      }
    }
    let users = try caches["users"]
    let calls = Counter()
    let fetch = users.cached("fetch") { (id: Int) throws -> String in
      calls.add()
      throw EngineError.boom
    }
    await #expect(throws: EngineError.boom) { try await fetch(1) }
    await #expect(throws: EngineError.boom) { try await fetch(1) }
    #expect(calls.count == 1)
    try await users.remove(fetch.key(for: 1))
    await #expect(throws: EngineError.boom) { try await fetch(1) }
    #expect(calls.count == 2)
  }
}
