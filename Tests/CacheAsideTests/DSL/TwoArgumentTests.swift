import CacheAside
import CacheAsideTesting
import Testing

/// Calls of two arguments, which have a way of their own where the arguments are the key.
@Suite(.timeLimit(.minutes(60)))
struct TwoArgumentTests {
  struct Failure: Error {}
  struct Point: Sendable {
    var x: Int
    var name: String
  }
  enum Sort: String, CacheKeyConvertible { case newest, oldest }

  private let feature: CacheFeature
  private let producer = CountingProducer { $0 }

  init() throws { feature = try Caches.inMemory["pairs"] }

  @Test
  func `a call counts one miss or one hit, under a condition too`() async throws {
    let function = feature.cached("f") { [producer] (_: Int, _: String) in try await producer() }
    #expect(try await function(1, "a") == 1)
    #expect(try await function(1, "a") == 1)
    #expect(try await function(2, "a") == 2)
    #expect(try await function(1, "b") == 3)
    #expect(feature.statistics.hits == 1)
    #expect(feature.statistics.misses == 3)
    let even = function.when { number, _ in number.isMultiple(of: 2) }
    #expect(try await even(2, "a") == 2)
    #expect(try await even(4, "a") == 4)
    #expect(feature.statistics.hits == 2)
    #expect(feature.statistics.misses == 4)
    #expect(try await even(1, "a") == 5)
    #expect(try await even(1, "a") == 6)
    #expect(try await function(1, "a") == 1)
  }

  @Test
  func `parts in another order are those of their closure, not the arguments`() async throws {
    let named = feature.cached("f") { [producer] (_: Int, _: Int) in try await producer() }
    let turned = feature.cached("f", by: { ArgumentPair($1, $0) }) {
      [producer] (_: Int, _: Int) in try await producer()
    }
    #expect(try await named(1, 2) == 1)
    #expect(try await turned(2, 1) == 1)
    #expect(try await turned(1, 2) == 2)
    #expect(try await named(2, 1) == 2)
    #expect(feature.statistics.entries == 2)
  }

  @Test
  func `parts of one argument may be a pair`() async throws {
    let named = feature.cached("f") { [producer] (_: Int, _: String) in try await producer() }
    let selected = feature.cached("f", by: { ArgumentPair($0.x, $0.name) }) {
      [producer] (_: Point) in try await producer()
    }
    #expect(try await selected(Point(x: 1, name: "a")) == 1)
    #expect(try await named(1, "a") == 1)
    #expect(try await selected(Point(x: 2, name: "a")) == 2)
  }

  @Test
  func `arguments go by what stands for them`() async throws {
    let function = feature.cached("f") { [producer] (_: Double, _: Sort?) in try await producer() }
    #expect(try await function(0.0, nil) == 1)
    #expect(try await function(-0.0, nil) == 1)
    #expect(try await function(.nan, .newest) == 2)
    #expect(try await function(-.nan, .newest) == 2)
    #expect(try await function(.nan, .oldest) == 3)
    #expect(function.peek(.nan, .newest) == 2)
    try await function.remove(.nan, .newest)
    #expect(try await function(.nan, .newest) == 4)
  }

  @Test
  func `every way to call finds the same entry`() async throws {
    let function = feature.cached("f") { [producer] (_: Int, _: String) in try await producer() }
    let closure = function.asFunction
    let method: (Int, String) async throws -> Int = function.callAsFunction
    #expect(try await function(1, "a") == 1)
    #expect(try await closure(1, "a") == 1)
    #expect(try await method(1, "a") == 1)
    #expect(try await function(1, "a", mode: .cacheOnly) == 1)
    #expect(try await function.refresh(1, "a") == 2)
    #expect(try await function(1, "a") == 2)
  }

  @Test
  func `a mode, a scope and a value for failures hold`() async throws {
    let function = feature.cached("f") { [producer] (_: Int, _: String) in try await producer() }
    #expect(try await function(1, "a") == 1)
    let scoped = try await Caches.withScope(CacheScope(["tenant": "x"])) {
      try await (function(1, "a"), function(1, "a"))
    }
    #expect(scoped == (2, 2))
    let bypassed = try await Caches.withMode(.bypass) { try await function(1, "a") }
    #expect(bypassed == 3)
    #expect(try await function(1, "a") == 1)
    let failing = feature.cached("g") { (_: Int, _: String) -> Int in throw Failure() }
    #expect(try await failing.default(7)(1, "a") == 7)
    await #expect(throws: Failure.self) { try await failing(1, "a") }
  }
}
