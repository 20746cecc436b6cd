import CacheAside
import CacheAsideTesting
import Synchronization
import Testing

/// The form whose key a closure makes.
@Suite(.timeLimit(.minutes(60)))
struct KeyClosureTests {
  /// A value that counts how often it is encoded.
  struct Encoded: Codable, Sendable {
    static let encodings = Mutex(0)
    var number = 1

    init() {}
    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      Self.encodings.withLock { $0 += 1 }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  private final class Count: Sendable {
    private let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  @Test
  func `arguments with one key share one entry`() async throws {
    let producer = CountingProducer { $0 }
    let function = try Caches.inMemory["a"].cached(key: { (name: String) in
      "user/\(name.lowercased())"
    }) { (_: String) in try await producer() }
    #expect(try await function("Ada") == 1)
    #expect(try await function("ADA") == 1)
    #expect(function.key(for: "Ada") == "user/ada")
    try await function.remove("aDa")
    #expect(function.peek("Ada") == nil)
  }

  @Test
  func `B113 the key closure runs once a call, and a value is encoded once`() async throws {
    let feature = try Caches {
      Feature("a") {
        Memory()
        Store(FlawedStore())
        Store(FlawedStore())
      }
    }["a"]
    let derived = Count()
    let function = feature.cached(key: { (number: Int) -> CacheKey in
      derived.add()
      return "n/\(number)"
    }) { (_: Int) in Encoded() }
    Encoded.encodings.withLock { $0 = 0 }
    _ = try await function(1)
    #expect(derived.take() == 1)
    #expect(Encoded.encodings.withLock { $0 } == 1)
    _ = try await function(1)
    #expect(derived.take() == 1)
    feature.cache(CacheKey.self, Encoded.self).removeAllFromMemory()
    _ = try await function(1)
    #expect(derived.take() == 1)
    #expect(Encoded.encodings.withLock { $0 } == 1)
    _ = function.peek(1)
    #expect(derived.take() == 1)
    _ = try await function.outcome(1)
    #expect(derived.take() == 1)
    _ = try await function(1, mode: .bypass)
    #expect(derived.take() == 1)
    try await function.refresh(1)
    #expect(derived.take() == 1)
    try await function.expire(1)
    #expect(derived.take() == 1)
    try await function.remove(1)
    #expect(derived.take() == 1)
  }

  @Test
  func `callables and the immediate form share the entries of a key`() async throws {
    let feature = try Caches.inMemory["a"]
    let producer = CountingProducer { $0 }
    let function = feature.cached(key: { "n/\($0)" }) { (_: Int) in try await producer() }
    #expect(try await function(1) == 1)
    #expect(try await feature.cached(key: "n/1") { try await producer() } == 1)
    #expect(feature.cache(CacheKey.self, Int.self)["n/1"] == 1)
    try await feature.remove("n/1")
    #expect(function.peek(1) == nil)
  }
}
