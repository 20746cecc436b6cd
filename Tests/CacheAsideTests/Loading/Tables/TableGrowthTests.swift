import CacheAsideTesting
import Testing

@testable import CacheAside

/// What concerns one key costs the same however many entries, loads and tables a feature has.
@Suite struct TableGrowthTests {
  private func caches(hasTier: Bool) throws -> Caches {
    let store = hasTier ? try MemoryCacheStore() : nil
    return try Caches {
      Feature("users") {
        Memory(.count(50_000))
        if let store { Store(store) }
      }
    }
  }

  /// The work on entries, tables and keys that something needs.
  private func work(_ body: nonisolated(nonsending) () async throws -> Void) async throws -> Int {
    let log = try await WorkLog.recording(body)
    return log[.entry] + log[.table] + log[.derivedKey] + log[.waiter]
  }

  @Test(arguments: [true, false])
  func `a removal by a printed key looks at no other entry (B376)`(hasTier: Bool) async throws {
    var works: [Int] = []
    for count in [200, 2_000] {
      let users = try caches(hasTier: hasTier)["users"]
      let fetch = users.cached("fetch") { (id: Int) in id }
      let other = users.cache(CacheKey.self, Int.self)
      for id in 0..<count { _ = try await fetch(id) }
      // In memory alone, the first look-up makes the index.
      if !hasTier { try await users.remove(fetch.key(for: 0)) }
      for id in 1...4 { #expect(fetch.peek(id) == id) }
      works.append(
        try await work {
          try await users.remove(fetch.key(for: 1))
          try await users.expire(fetch.key(for: 2))
          try await other.set(-3, for: fetch.key(for: 3))
          try other.removeBlocking(fetch.key(for: 4))
        }
      )
      for id in [1, 2, 4] { #expect(fetch.peek(id) == nil) }
      #expect(try await fetch(3) == -3)
      #expect(fetch.peek(5) == 5)
    }
    #expect(works[0] > 0)
    #expect(works[1] <= works[0])
  }

  @Test func `a removal by a printed key looks at no other load (B376)`() async throws {
    var works: [Int] = []
    for count in [50, 500] {
      let users = try caches(hasTier: true)["users"]
      let gate = Gate()
      let calls = Counter()
      let fetch = users.cached("fetch") { (id: Int) in
        calls.add()
        await gate.waitIgnoringCancellation()
        return id
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 0..<count { group.addTask { _ = try await fetch(id) } }
        try await gate.waitForArrivals(count)
        works.append(try await work { try await users.remove(fetch.key(for: 1)) })
        gate.open()
        try await group.waitForAll()
      }
      #expect(fetch.peek(1) == nil)
      #expect(fetch.peek(2) == 2)
      #expect(try await fetch(1) == 1)
      #expect(calls.count == count + 1)
    }
    #expect(works[1] <= works[0])
  }

  @Test func `an index forgets what has left memory, and knows what has not (B376)`() async throws {
    let store = try MemoryCacheStore(limits: .count(10))
    let caches = try Caches {
      Feature("users") {
        Memory(.count(1_000))
        Store(store)
      }
    }
    let users = try caches["users"]
    let table = users.cache(Int.self, Int.self)
    for id in 0..<20_000 { try await table.set(id, for: id) }
    let index = table.makeIndex()
    #expect(index.count <= 2_000)
    for id in table.memory.keys() {
      #expect(index.keys(printedAs: table.strategy.derive(id)) == [id])
    }
    try await users.removeAll()
    table.cleanIndex()
    #expect(index.count <= 1_024)
  }

  @Test(arguments: [true, false])
  func `what one function does looks at no other function's table (B377)`(hasTier: Bool)
    async throws
  {
    var works: [Int] = []
    for count in [1, 100, 1_000] {
      let users = try caches(hasTier: hasTier)["users"]
      let functions = (0..<count).map { number in
        users.cached("fetch \(number)") { (id: Int) in id }
      }
      for function in functions { _ = try await function(0) }
      let table = users.cache(CacheKey.self, Int.self)
      works.append(
        try await work {
          _ = try await functions[0](1)
          try await table.set(7, for: "seven")
          table["eight"] = 8
          try await functions[0].remove(1)
          try await users.remove(functions[0].key(for: 0))
          try await Caches.withScope(["tenant": "a"]) { () async throws in
            for function in functions.prefix(1) { _ = try await function(1) }
          }
        }
      )
      #expect(functions[0].peek(0) == nil)
    }
    #expect(works[0] > 0)
    #expect(works[1] <= works[0])
    #expect(works[2] <= works[0])
  }

  @Test func `under a scope a thousand functions look at no other's table (B377)`() async throws {
    var works: [Int] = []
    for count in [1, 100] {
      let users = try caches(hasTier: false)["users"]
      let functions = (0..<count).map { number in
        users.cached("fetch \(number)") { (id: Int) in id }
      }
      try await Caches.withScope(["tenant": "a"]) { () async throws in
        for function in functions { _ = try await function(0) }
        works.append(
          try await work {
            _ = try await functions[0](1)
            try await functions[0].remove(0)
          }
        )
      }
    }
    #expect(works[1] <= works[0])
  }
}
