import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Writes at once beside loads, other forms, invalidations and the end.
@Suite(.timeLimit(.minutes(60)))
struct WritingAtOnceRaceTests {
  @Test func `F4 no load is stored over a write at once, whichever comes first`() async throws {
    let cache = try Cache<String, Int>(name: "writes") { Memory(.count(100)) }
    for round in 0..<1_000 {
      async let loaded = cache.cached("k") { 2 * round }
      async let written: Void = OwnTask.run { cache["k"] = 2 * round + 1 }
      let value = try await loaded
      await written
      #expect(value == 2 * round || value == 2 * round + 1)
      try #require(cache["k"] == 2 * round + 1)
      cache["k"] = nil
    }
    #expect(cache.isQuiet)
  }

  @Test func `F4 a load of another form is not stored over a write at once`() async throws {
    let caches = Caches.inMemory
    let bare = try caches["f"].cache(String.self, Int.self)
    let optional = try caches["f"].cache(String.self, Int?.self)
    let gated = GatedProducer<Int?>()
    let loading = call(optional, gated)
    try await gated.waitForRuns(1)
    #expect(bare.setAtOnce(1, for: "k"))
    gated.release(2)
    #expect(try await loading.value == 2)
    #expect(bare["k"] == 1)
    #expect(optional.count == 0)
    #expect(optional["k"] == .some(1))
  }

  @Test func `K4 of two forms written at once no more than one stays`() async throws {
    let caches = Caches.inMemory
    let bare = try caches["f"].cache(String.self, Int.self)
    let optional = try caches["f"].cache(String.self, Int?.self)
    for round in 0..<1_000 {
      async let one: Void = OwnTask.run { bare["k"] = round }
      async let other: Void = OwnTask.run { optional["k"] = .some(.some(-round)) }
      _ = await (one, other)
      try #require(bare.count + optional.count <= 1)
    }
  }

  @Test func `a write in the stripe of a running load is stored all the same`() async throws {
    let cache = try Cache<Int, Int>(name: "writes") { Memory(.count(1_000)) }
    let gated = GatedProducer<Int>()
    let loading = Task { try await cache.cached(-1) { try await gated() } }
    try await gated.waitForRuns(1)
    var long = 0
    for key in 0..<200 where !cache.setAtOnce(key, for: key) {
      long += 1
      cache[key] = key
    }
    #expect((1..<100).contains(long))
    #expect((0..<200).allSatisfy { cache[$0] == $0 })
    gated.release(7)
    #expect(try await loading.value == 7)
    #expect(cache[-1] == 7)
    #expect((0..<200).allSatisfy { cache.setAtOnce($0, for: $0) })
  }

  @Test func `nothing is left of writes at once that race with the end`() async throws {
    for _ in 0..<300 {
      let cache = try Cache<Int, Int>(name: "writes") { Memory(.unlimited) }
      async let writing: Void = OwnTask.run { for key in 0..<50 { cache[key] = key } }
      async let closing: Void = cache.close()
      _ = try await (writing, closing)
      #expect(cache.count == 0)
    }
  }
}

/// Work on another thread of the pool.
private enum OwnTask {
  @concurrent static func run(_ body: @Sendable () -> Void) async { body() }
}
