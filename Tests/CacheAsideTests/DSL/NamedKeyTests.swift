import CacheAside
import CacheAsideTesting
import Testing

/// The named form: the name and the arguments are the key.
@Suite(.timeLimit(.minutes(60)))
struct NamedKeyTests {
  struct Point: Codable, Hashable, CacheKeyConvertible { var x: Double }
  enum Sort: String, CacheKeyConvertible { case newest, oldest }
  struct Page: CacheKeyConvertible {
    var feed: String
    var comment: String
    func encode(into encoder: inout CacheKey.Encoder) { encoder.encode(feed) }
    static func == (one: Page, other: Page) -> Bool { one.feed == other.feed }
    func hash(into hasher: inout Hasher) { hasher.combine(feed) }
  }

  private let feature: CacheFeature
  private let producer = CountingProducer { $0 }

  init() throws { feature = try Caches.inMemory["named"] }

  @Test(arguments: [":", "|", ",", "/", "\u{0}", "\u{1F}", "(", ")", "'", "%"])
  func `B034 arguments that differ by where a separator sits are different`(
    separator: String
  ) async throws {
    let function = feature.cached("f") { [producer] (_: String, _: String) in try await producer() }
    let calls = [("a\(separator)b", "c"), ("a", "b\(separator)c"), ("", "x"), ("x", "")]
    for _ in 0..<2 {
      for (index, call) in calls.enumerated() {
        #expect(try await function(call.0, call.1) == index + 1)
      }
    }
    #expect(Set(calls.map { function.key(for: $0.0, $0.1) }).count == 4)
  }

  @Test(arguments: [":", "/", "%", "\u{0}"])
  func `B034 template keys escape their parts`(separator: String) async throws {
    let function = feature.cached(key: { "f/\($0)/\($1)" }) {
      [producer] (_: String, _: String) in try await producer()
    }
    #expect(try await function("a\(separator)b", "c") == 1)
    #expect(try await function("a", "b\(separator)c") == 2)
    #expect(try await function("a\(separator)b", "c") == 1)
  }

  @Test
  func `B045 every NaN is one argument, which can be removed`() async throws {
    let function = feature.cached("f") { [producer] (_: Double) in try await producer() }
    for index in 0..<1_000 {
      let number = Double(nan: UInt64(index % 3), signaling: false)
      #expect(try await function(index.isMultiple(of: 2) ? number : -number) == 1)
    }
    #expect(feature.statistics.entries == 1)
    try await function.remove(.nan)
    #expect(function.peek(.nan) == nil)
    #expect(feature.statistics.entries == 0)
    #expect(try await function(.nan) == 2)
    #expect(try await function(0.0) == 3)
    #expect(try await function(-0.0) == 3)
  }

  @Test
  func `B045 a value that contains NaN is one argument`() async throws {
    let function = feature.cached("f") { [producer] (_: Point) in try await producer() }
    for _ in 0..<1_000 { #expect(try await function(Point(x: .nan)) == 1) }
    #expect(feature.statistics.entries == 1)
    try await function.remove(Point(x: .nan))
    #expect(feature.statistics.entries == 0)
  }

  @Test
  func `B047 a function without arguments has one entry`() async throws {
    let one = feature.cached("one") { [producer] in try await producer() }
    let other = feature.cached("other") { [producer] in try await producer() }
    for _ in 0..<1_000 { #expect(try await one() == 1) }
    #expect(feature.statistics.entries == 1)
    #expect(try await other() == 2)
    #expect(try await one() == 1)
    try await one.remove()
    #expect(one.peek() == nil && other.peek() == 2)
  }

  @Test
  func `arguments of different types are different`() async throws {
    let integer = feature.cached("f") { [producer] (_: Int) in try await producer() }
    let double = feature.cached("f") { [producer] (_: Double) in try await producer() }
    let string = feature.cached("f") { [producer] (_: String) in try await producer() }
    let optional = feature.cached("f") { [producer] (_: String?) in try await producer() }
    #expect(try await integer(1) == 1)
    #expect(try await double(1.5) == 2)
    #expect(try await string("1") == 3)
    #expect(try await optional(nil) == 4)
    #expect(try await (integer(1), double(1.5), string("1"), optional(nil)) == (1, 2, 3, 4))
    #expect(integer.key(for: 1) != string.key(for: "1"))
    #expect(double.key(for: 1) != string.key(for: "1"))
  }

  @Test
  func `arguments of the user's own types go by their key bytes`() async throws {
    let sorted = feature.cached("s") { [producer] (_: Sort) in try await producer() }
    #expect(try await sorted(.newest) == 1)
    #expect(try await sorted(.oldest) == 2)
    #expect(try await sorted(.newest) == 1)
    let paged = feature.cached("p") { [producer] (_: Page) in try await producer() }
    #expect(try await paged(Page(feed: "a", comment: "x")) == 3)
    #expect(try await paged(Page(feed: "a", comment: "y")) == 3)
    #expect(try await paged(Page(feed: "b", comment: "x")) == 4)
  }

  @Test
  func `functions of one name and the same types share entries`() async throws {
    let one = feature.cached("user") { [producer] (_: Int) in try await producer() }
    let same = feature.cached("user") { [producer] (_: Int) in Produced(try await producer()) }
    let other = feature.cached("group") { [producer] (_: Int) in try await producer() }
    #expect(try await one(1) == 1)
    #expect(try await same(1) == 1)
    #expect(try await other(1) == 2)
    try await same.remove(1)
    #expect(one.peek(1) == nil)
    #expect(other.peek(1) == 2)
  }

  @Test
  func `a value of another type is a miss and goes by the same key`() async throws {
    let number = feature.cached("user") { (id: Int) in id }
    let name = feature.cached("user") { (id: Int) in "user \(id)" }
    #expect(try await number(1) == 1)
    #expect(try await name(1) == "user 1")
    #expect(try await number(1) == 1)
    try await number.remove(1)
    #expect(name.peek(1) == nil)
  }

  @Test
  func `a key as an argument is a part like any other`() async throws {
    let function = feature.cached("f") { [producer] (_: CacheKey) in try await producer() }
    #expect(try await function("a/b") == 1)
    #expect(function.key(for: "a/b") != "a/b")
    try await feature.remove("a/b")
    #expect(function.peek("a/b") == 1)
    try await feature.expire(function.key(for: "a/b"))
    #expect(function.peek("a/b") == nil)
    #expect(try await function("a/b") == 2)
    try await feature.remove(function.key(for: "a/b"))
    #expect(function.peek("a/b") == nil)
    let key = Caches.withScope(CacheScope(["tenant": "x"])) { function.key(for: "a/b") }
    #expect(key == function.key(for: "a/b"))
  }

  @Test
  func `scopes share neither entries nor runs`() async throws {
    let function = feature.cached("f") { [producer] (_: CacheKey) in try await producer() }
    let plain = feature.cached("g") { [producer] (_: Int) in try await producer() }
    #expect(try await function("a") == 1)
    #expect(try await plain(1) == 2)
    try await Caches.withScope(CacheScope(["tenant": "x"])) {
      #expect(try await function("a") == 3)
      #expect(try await plain(1) == 4)
      #expect(try await function("a") == 3)
      #expect(try await plain(1) == 4)
      try await feature.remove(function.key(for: "a"))
      try await feature.remove(plain.key(for: 1))
      #expect(function.peek("a") == nil && plain.peek(1) == nil)
    }
    #expect(try await function("a") == 1)
    #expect(try await plain(1) == 2)
  }
}
