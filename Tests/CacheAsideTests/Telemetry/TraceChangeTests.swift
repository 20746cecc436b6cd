import CacheAsideTesting
import Testing

@testable import CacheAside

/// What a trace records of changes.
@Suite(.timeLimit(.minutes(60)))
struct TraceChangeTests {
  private func record(
    _ body: () async throws -> Void
  ) async throws -> [CacheTrace.Entry] {
    try await CacheTrace.record(body).trace.entries
  }

  @Test(arguments: Setup.allCases)
  func `changes of a key are recorded, in every form`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    let entries = try await record {
      try await cache.set(1, for: "k")
      try cache.setBlocking(2, for: "k")
      cache["k"] = 3
      try await cache.update("k") { $0 = ($0 ?? 0) + 1 }
      try await cache.expire("k")
      try await cache.remove("k")
      try cache.removeBlocking("k")
      cache["k"] = nil
      cache.setObject(4, forKey: "k")
    }
    #expect(
      entries.map(\.mode) == [
        "set", "set", "set", "update", "expire", "remove", "remove", "remove", "set",
      ]
    )
    let key = CacheKey(text: "k", namespace: Namespace("feature"))
    #expect(entries.allSatisfy { $0.key == key && $0.rule == .change && $0.error == nil })
    #expect(entries.allSatisfy { $0.selector == nil && $0.source == nil })
    let stored = setup == .suspending ? [] : Array(setup.tierNames.reversed())
    #expect(entries[0].storedIn == setup.tierNames.reversed())
    #expect(entries[8].storedIn == stored || setup == .suspending)
    #expect(entries[4].storedIn == [])
    #expect("\(entries[5])".contains("[remove]: done, rule change"))
    #expect(!"\(entries[5])".contains(" k "))
  }

  @Test func `features, functions and selectors are recorded with what they named`() async throws {
    let feature = try Caches { Feature("f") { Memory() } }["f"]
    let cache = feature.cache(CacheKey.self, Int.self)
    let square = feature.cached("square") { (number: Int) in number * number }
    let entries = try await record {
      try await feature.remove("k")
      try await feature.expire("k")
      try await square.remove(2)
      try await square.expire(2)
      try await feature.remove(.tag("red"))
      try await cache.expire(.tags(allOf: ["red", "blue"]))
      try cache.removeBlocking(.keys(["a", "b"]))
      try feature.refresh(.namespace(["tenant": "a"]))
      try await feature.invalidating(.where { _ in false }) { try await cache.set(1, for: "w") }
      try await feature.removeAll()
      try await cache.remove(.all)
      try cache.removeAllBlocking()
    }
    let head = entries.map { "\($0.mode) \($0.selector?.text(showsSubjects: true) ?? $0.key.text)" }
    #expect(
      head == [
        "remove k", "expire k", "remove %square(2)", "expire %square(2)", "remove tag red",
        "expire tags(allOf:) red, blue", "remove keys a, b",
        "refresh namespace \(CacheScope(dictionaryLiteral: ("tenant", "a")))", "set w",
        "remove where", "remove all", "remove all", "remove all",
      ]
    )
    #expect(entries.allSatisfy { $0.rule == .change && $0.feature == "f" })
    #expect(entries[2].table == "square" && entries[4].table == nil)
    #expect(entries[4].key.text.isEmpty && entries[4].key.namespace == Namespace("f"))
    #expect("\(entries[5])".hasPrefix("f tags(allOf:) of 2 [expire]: done"))
    #expect(entries[5].text(showsKey: true).hasPrefix("f tags(allOf:) red, blue [expire]: done"))
  }

  @Test func `what failed is recorded with its error, and what was refused with its rule`()
    async throws
  {
    let faulty = FaultInjectingStore(try MemoryCacheStore())
    var policy = CachePolicy()
    policy.requiredScope = ["tenant"]
    let feature = try Caches {
      Feature("f", policy: policy) {
        Memory()
        Store(faulty)
      }
    }["f"]
    let cache = feature.cache(CacheKey.self, Int.self)
    let entries = try await record {
      await #expect(throws: CacheError.self) { try await cache.set(1, for: "k") }
      await #expect(throws: CacheError.self) { try await feature.remove(.key("k")) }
      try await Caches.withScope(["tenant": "a"]) {
        try await cache.set(1, for: "k")
        faulty.inject(.fail(EngineError.boom), on: .remove, .invalidate)
        await #expect(throws: CacheError.self) { try await cache.remove("k") }
        await #expect(throws: CacheError.self) { try await feature.expire(.tag("t")) }
        await #expect(throws: EngineError.boom) {
          try await cache.update("k") { _ in throw EngineError.boom }
        }
      }
    }
    #expect(entries.map(\.mode) == ["set", "remove", "set", "remove", "expire", "update"])
    #expect(
      entries.map(\.rule) == [
        .requiredScope, .requiredScope, .change, .change, .change, .change,
      ]
    )
    #expect(entries.map { $0.error == nil } == [false, false, true, false, false, false])
    #expect(entries[2].key.namespace == Namespace("f").scoped(["tenant": "a"]))
    #expect(entries[2].storedIn == [faulty.name, "memory"])
  }

  @Test func `what a change asks of the cache itself is recorded for itself`() async throws {
    let cache = try CacheFixture(.memoryAndDisk).open()
    let entries = try await record {
      try await cache.set(1, for: "other")
      try await cache.update("k") { $0 = cache["none"] ?? cache["other"] }
      // A value that is not kept is one change, also where it takes an older one out.
      try await cache.set(2, for: "k", expiry: .seconds(0))
    }
    #expect(
      entries.map { "\($0.mode) \($0.key.text)" } == [
        "set other", "read none", "default other", "update k", "set k",
      ]
    )
    #expect(entries[3].tiers.map(\.tier) == ["disk"])
    #expect(try await cache.value(for: "k") == nil)
  }

  @Test func `without a trace nothing is recorded`() async throws {
    let cache = try CacheFixture(.memory).open()
    let (_, trace) = CacheTrace.record {}
    try await cache.set(1, for: "k")
    cache["k"] = 2
    try await cache.remove(.all)
    #expect(trace.entries.isEmpty)
    #expect(cache.core.changeNote("set") == nil)
  }
}
