import CacheAsideTesting
import Testing

@testable import CacheAside

/// Synchronous writes where only memory is concerned take a short way.
@Suite(.timeLimit(.minutes(60)))
struct WritingAtOnceTests {
  private let clock = ManualClock()

  private func cache(
    _ limits: MemoryLimits = .count(100),
    expiry: Expiry? = nil,
    policy: CachePolicy = CachePolicy()
  ) throws -> Cache<String, Int> {
    try Cache(name: "writes", expiry: expiry, policy: policy, time: clock.timeSource) {
      Memory(limits)
    }
  }

  @Test func `a write is not replaced by the load that began before it`() async throws {
    let cache = try cache()
    let gated = GatedProducer<Int>()
    let loading = call(cache, gated, key: "k")
    try await gated.waitForRuns(1)
    #expect(!cache.setAtOnce(1, for: "k"))
    cache["k"] = 1
    gated.release(2)
    #expect(try await loading.value == 2)
    #expect(cache["k"] == 1)
    #expect(cache.isQuiet)
    #expect(cache.setAtOnce(3, for: "k"))
    #expect(cache["k"] == 3)
  }

  @Test func `keeps the lifetime of the policy`() async throws {
    let cache = try cache(expiry: .seconds(10))
    #expect(cache.setAtOnce(1, for: "k"))
    try await clock.advance(by: .seconds(9.5))
    #expect(cache["k"] == 1)
    try await clock.advance(by: .seconds(0.5))
    #expect(cache["k"] == nil)
  }

  @Test func `leaves lifetimes that need a thought to the long way`() throws {
    let policies = [
      CachePolicy(expiry: .seconds(0)),
      CachePolicy(expiry: .at(microsecondsSince1970: .max)),
      CachePolicy(expiry: .seconds(1), keepExpired: .seconds(1)),
    ]
    for policy in policies { #expect(try !cache(policy: policy).setAtOnce(1, for: "k")) }
  }

  @Test func `costs what the long way costs and tells what was rejected`() async throws {
    let cache = try cache(MemoryLimits(costLimit: 1_000, entryCostLimit: 4))
    var events = cache.events().makeAsyncIterator()
    #expect(cache.setAtOnce(1, for: "k"))
    #expect(cache.count == 0)
    #expect(await events.next()?.kind == .rejected)
    let roomy = try self.cache(.cost(1_000))
    #expect(roomy.setAtOnce(1, for: "k"))
    try roomy.setBlocking(1, for: "l")
    #expect(roomy.totalCost == 16)
  }

  @Test func `takes the key out of the table with the other form`() throws {
    let caches = Caches.inMemory(time: clock.timeSource)
    let bare = try caches["f"].cache(String.self, Int.self)
    let optional = try caches["f"].cache(String.self, Int?.self)
    bare["k"] = 1
    #expect(optional.setAtOnce(nil, for: "k"))
    #expect(bare.count == 0)
  }

  @Test func `writes under a scope go to the table of the scope`() throws {
    let cache = try cache()
    cache["k"] = 1
    Caches.withScope(CacheScope(["tenant": "a"])) { cache["k"] = 2 }
    #expect(cache["k"] == 1)
  }
}
