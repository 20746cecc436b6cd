import CacheAside
import Testing

/// The example of `Documentation/Benchmarks.md`.
@Suite struct BenchmarksTests {
  @Test func `replaying requests on a store`() throws {
    let requests = (0..<3_000).map { $0 % 500 }
    // snippet: Hit ratio by size
    let store = try MemoryStore<Int, Int>(limits: .count(1_000))
    var hits = 0
    for key in requests {
      if store.value(for: key) != nil { hits += 1 } else { store.insert(key, for: key) }
    }
    // end
    #expect(hits == 2_500)
  }
}
