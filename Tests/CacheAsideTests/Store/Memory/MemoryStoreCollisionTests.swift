import CacheAsideTesting
import Testing

@testable import CacheAside

/// Keys that differ and have one hash.
@Suite(.timeLimit(.minutes(60)))
struct MemoryStoreCollisionTests {
  private struct Colliding: ExactCacheKey {
    let number: Int

    func hash(into hasher: inout Hasher) {}

    func encode(into encoder: inout CacheKey.Encoder) { encoder.encode(number) }
  }

  @Test func `K2 keys of one hash are kept apart in memory`() throws {
    let store = try MemoryStore<Colliding, Int>(limits: .count(500), exact: true)
    let keys = (0..<200).map { Colliding(number: $0) }
    #expect(Set(keys.map { store.hash(of: $0) }).count == 1)
    for key in keys { store.insert(key.number, for: key) }
    for key in keys { #expect(store.value(for: key) == key.number) }
    for key in keys where key.number.isMultiple(of: 2) {
      #expect(store.remove(key) == key.number)
    }
    for key in keys {
      #expect(store.value(for: key) == (key.number.isMultiple(of: 2) ? nil : key.number))
    }
    #expect(store.value(for: Colliding(number: 500)) == nil)
  }

  @Test func `K2 keys of one hash share no load and no entry`() async throws {
    let feature = try Caches { Feature("f") { Memory() } }["f"]
    let cache = feature.cache(Colliding.self, Int.self)
    let producer = GatedProducer<Int>()
    let calls = (0..<3).map { number in
      Task { try await cache.cached(Colliding(number: number)) { try await producer() + number } }
    }
    try await producer.waitForRuns(3)
    for _ in calls { producer.release(10) }
    for (number, call) in calls.enumerated() { #expect(try await call.value == 10 + number) }
    try await cache.remove(Colliding(number: 1))
    for number in 0..<3 {
      #expect(cache.peek(Colliding(number: number)) == (number == 1 ? nil : 10 + number))
    }
  }
}
