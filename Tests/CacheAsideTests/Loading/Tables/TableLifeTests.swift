import CacheAsideTesting
import Testing

@testable import CacheAside

/// When a function's table is made, and when it goes.
@Suite struct TableLifeTests {
  private let clock = ManualClock()

  private func users() throws -> CacheFeature {
    try Caches.inMemory(time: clock.timeSource)["users"]
  }

  @Test func `a function that is never called has no table (B377)`() throws {
    let users = try users()
    let functions = (0..<100).map { number in users.cached("f \(number)") { (id: Int) in id } }
    #expect(users.core.tables.isEmpty)
    #expect(functions.count == 100)
  }

  @Test func `a function that is made anew finds the entries of the one before (B377)`()
    async throws
  {
    let users = try users()
    let calls = Counter()
    for _ in 0..<50 {
      let fetch = users.cached("fetch", expiry: .minutes(5)) { (id: Int) in
        calls.add()
        return id
      }
      #expect(try await fetch(1) == 1)
    }
    #expect(calls.count == 1)
    #expect(users.core.tables.count == 1)
    #expect(users.statistics.hits == 49)
  }

  @Test func `a function's table goes when it is gone and so is what it held (B377)`() async throws
  {
    let users = try users()
    for number in 0..<20 {
      let fetch = users.cached("f \(number)", expiry: .minutes(5)) { (id: Int) in id }
      #expect(try await fetch(1) == 1)
      #expect(try await fetch(1) == 1)
    }
    #expect(users.core.tables.count == 20)
    users.removeAllFromMemory()
    users.tables.dropUnused()
    #expect(users.core.tables.isEmpty)
    #expect(users.statistics.hits == 20)
    let kept = users.cached("kept", expiry: .minutes(5)) { (id: Int) in id }
    #expect(try await kept(1) == 1)
    users.removeAllFromMemory()
    users.tables.dropUnused()
    #expect(users.core.tables.count == 1)
    #expect(try await kept(1) == 1)
    #expect(try await kept(1) == 1)
  }

  @Test func `a table with a load under way or a printed view stays (B377)`() async throws {
    let users = try users()
    let gate = Gate()
    let load = Task {
      try await users.cached("fetch") { (id: Int) in
        await gate.waitIgnoringCancellation()
        return id
      }(1)
    }
    try await gate.waitForArrivals(1)
    users.tables.dropUnused()
    #expect(users.core.tables.count == 1)
    gate.open()
    #expect(try await load.value == 1)
    let cache = users.cache(CacheKey.self, Int.self)
    #expect(try await cache.value(for: CacheKey(name: "fetch", arguments: 1)) == 1)
  }

  @Test func `the sweep drops what has expired with its function (B377)`() async throws {
    let users = try users()
    do {
      let fetch = users.cached("fetch", expiry: .seconds(5)) { (id: Int) in id }
      #expect(try await fetch(1) == 1)
    }
    #expect(users.core.tables.count == 1)
    for _ in 0..<10 { try await clock.advance(by: .seconds(1)) }
    #expect(users.core.tables.isEmpty)
  }
}
