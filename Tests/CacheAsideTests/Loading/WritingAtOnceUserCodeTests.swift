import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// User code around a write at once may use the same cache: it never runs under a lock (F6).
@Suite(.timeLimit(.minutes(60)))
struct WritingAtOnceUserCodeTests {
  /// What user code does with the cache; set once there is one.
  private final class Back: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    let runs = Atomic(0)

    func aim(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    func run() {
      guard let action = action.withLock({ $0 }) else { return }
      runs.add(1, ordering: .relaxed)
      action()
    }
  }

  /// A key whose hash and whose end are user code.
  private final class Key: Hashable, Sendable, CacheKeyConvertible {
    let number: Int
    let back: Back

    init(_ number: Int, _ back: Back) {
      self.number = number
      self.back = back
    }

    deinit { back.run() }

    func encode(into encoder: inout CacheKey.Encoder) { encoder.encode(number) }

    static func == (one: Key, other: Key) -> Bool { one.number == other.number }

    func hash(into hasher: inout Hasher) {
      back.run()
      hasher.combine(number)
    }
  }

  /// A value whose end is user code.
  private final class Value: Sendable {
    let number: Int
    let back: Back

    init(_ number: Int, _ back: Back) {
      self.number = number
      self.back = back
    }

    deinit { back.run() }
  }

  @Test func `a value that is replaced, refused or evicted may use the cache as it goes`() throws {
    let cache = try Cache<String, Value>(name: "writes", cost: { $0.number }) {
      Memory(MemoryLimits(costLimit: 8, entryCostLimit: 4), exact: true)
    }
    let (back, silent) = (Back(), Back())
    back.aim {
      _ = cache["a"]
      cache["b"] = Value(1, silent)
      cache["a"] = nil
    }
    #expect(cache.setAtOnce(Value(1, back), for: "a"))
    #expect(cache.setAtOnce(Value(2, back), for: "a"))
    // The end of the first removes the second, whose end does the same.
    #expect(back.runs.load(ordering: .relaxed) == 2)
    #expect(cache["b"]?.number == 1)
    #expect(cache.setAtOnce(Value(1, back), for: "a"))
    #expect(cache.setAtOnce(Value(5, back), for: "a"))
    #expect(cache["a"] == nil)
    for number in 0..<20 { #expect(cache.setAtOnce(Value(3, back), for: "k\(number)")) }
    #expect(back.runs.load(ordering: .relaxed) > 20)
    #expect(cache.totalCost <= 8)
  }

  @Test func `a cost closure may use the cache and is asked for the new value`() throws {
    let back = Back()
    let cache = try Cache<String, Int>(
      name: "writes",
      cost: {
        back.run(); return $0
      }
    ) {
      Memory(.cost(100), exact: true)
    }
    back.aim { _ = cache.peek("k") }
    #expect(cache.setAtOnce(7, for: "k"))
    #expect(cache.setAtOnce(9, for: "k"))
    #expect(cache.totalCost == 9)
    #expect(back.runs.load(ordering: .relaxed) == 2)
  }

  @Test func `a key's hash and its end may use the cache`() throws {
    let (back, silent) = (Back(), Back())
    let cache = try Cache<Key, Int>(name: "writes") { Memory(.count(2), exact: true) }
    back.aim { _ = cache[Key(1, silent)] }
    for number in 0..<40 { cache[Key(number % 7, back)] = number }
    #expect(back.runs.load(ordering: .relaxed) > 40)
    #expect(cache.count == 2)
  }

  @Test func `a removal listener may write to the cache`() throws {
    let back = Back()
    let cache = try Cache<String, Int>(
      name: "writes",
      onRemoval: { _, value, _ in if value < 100 { back.run() } },
      stores: { Memory(.count(10), exact: true) }
    )
    back.aim { cache["told"] = 100 + (cache["told"] ?? 100) - 100 }
    #expect(cache.setAtOnce(1, for: "k"))
    #expect(cache.setAtOnce(2, for: "k"))
    #expect(back.runs.load(ordering: .relaxed) == 1)
    #expect(cache["told"] == 100)
    #expect(cache["k"] == 2)
  }
}
