import CacheAsideTesting
import Testing

@testable import CacheAside

/// Memory limits that change while a feature is in use.
struct MemoryLimitChangeTests {
  @Test func `limits change in every table of a feature, later ones included`() async throws {
    let caches = try Caches { Feature("users") { Memory(.count(100), exact: true) } }
    let feature = try caches["users"]
    let numbers = feature.cache(Int.self, Int.self)
    let texts = feature.cache(Int.self, String.self)
    for key in 0..<100 {
      numbers[key] = key
      texts[100 + key] = "a"
    }
    try feature.setMemoryLimits(.count(10))
    #expect(numbers.memory.count == 10 && texts.memory.count == 10)
    let later = feature.cache(String.self, Int.self)
    for key in 0..<100 { later["\(key)"] = key }
    #expect(later.memory.count == 10)
    try numbers.setMemoryLimits(.count(50))
    #expect(feature.memoryLimits == .count(50) && texts.memoryLimits == .count(50))
    for key in 0..<100 { texts[key] = "b" }
    #expect(texts.memory.count == 50)
  }

  @Test func `limits that cannot be held are refused and change nothing`() throws {
    let cache = try Cache<Int, Int>(name: "numbers") { Memory(.count(10)) }
    for limits in [MemoryLimits.unlimited, .cost(5), .count(-1)] {
      #expect { try cache.setMemoryLimits(limits) } throws: { error in
        (error as? CacheError)?.code == .invalidConfiguration
      }
    }
    #expect(cache.memoryLimits == .count(10) && cache.memory.limits == .count(10))
  }

  @Test func `a disk store holds its new limit from the next write on`() async throws {
    let fixture = try CacheFixture(.disk)
    let store = try fixture.disk()
    let cache = try Cache<Int, [UInt8]>(name: "bytes", time: fixture.clock.timeSource) {
      Store(store)
    }
    let value = [UInt8](repeating: 1, count: 1_000)
    for key in 0..<20 { try await cache.set(value, for: key) }
    try store.setLimit(.entries(10))
    #expect(store.limit == .entries(10))
    try await cache.set(value, for: 20)
    #expect(try await store.usage().entries ?? .max <= 10)
    #expect(try await cache.value(for: 20) == value)
    #expect { try store.setLimit(.bytes(-1)) } throws: { error in
      (error as? CacheError)?.code == .invalidConfiguration
    }
  }
}
