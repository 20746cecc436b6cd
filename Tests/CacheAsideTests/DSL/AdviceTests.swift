import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct AdviceTests {
  private static var contradictory: CachePolicy {
    var policy = CachePolicy(expiry: .minutes(5))
    policy.softTimeout = .seconds(1)
    policy.jitter = .upTo(1)
    return policy
  }

  private func caches(strict: Bool = false) throws -> Caches {
    try Caches(strict: strict) {
      Defaults(policy: Self.contradictory)
      Feature("users") { Memory() }
    }
  }

  @Test func `advice reaches the first observer, once, with setting and remedy`() throws {
    let feature = try caches()["users"]
    let (first, second) = (EventRecorder<CacheEvent>(), EventRecorder<CacheEvent>())
    feature.observe(EventObserver(first))
    feature.observe(EventObserver(second))
    #expect(first.events.map(\.kind) == [.advice, .advice])
    #expect(first.events.allSatisfy { $0.feature == "users" })
    let errors = first.events.compactMap { $0.error as? CacheError }
    #expect(errors.map(\.code) == [.invalidConfiguration, .invalidConfiguration])
    #expect(errors.first?.message.hasPrefix("softTimeout: ") == true)
    #expect(errors.first?.message.contains("set staleIfError") == true)
    #expect(errors.last?.message.hasPrefix("jitter: ") == true)
    #expect(second.events.isEmpty)
  }

  @Test func `advice reaches the first stream`() async throws {
    let caches = try caches()
    let stream = try caches["users"].events()
    try await caches.close()
    var kinds: [CacheEvent.Kind] = []
    for await event in stream { kinds.append(event.kind) }
    #expect(kinds == [.advice, .advice])
  }

  @Test func `a feature in order gets none`() throws {
    let feature = try Caches { Feature("users", expiry: .minutes(5)) { Memory() } }["users"]
    let events = EventRecorder<CacheEvent>()
    feature.observe(EventObserver(events))
    #expect(events.events.isEmpty)
  }

  @Test func `C1 strict caches refuse contradictions and let risks pass`() throws {
    let error = #expect(throws: CacheError.self) { try caches(strict: true) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.hasPrefix("feature \"users\": softTimeout: ") == true)
    #expect(error?.message.contains("; jitter: ") == true)
    #expect(throws: CacheError.self) {
      try Cache<Int, Int>(name: "c", policy: Self.contradictory, strict: true) { Memory() }
    }
    _ = try Cache<Int, Int>(name: "c", policy: Self.contradictory) { Memory() }
    let policy = CachePolicy(expiry: .minutes(5), staleIfError: .hours(1))
    let cache = try Cache<Int, Int>(name: "c", policy: policy, strict: true) { Memory() }
    let events = EventRecorder<CacheEvent>()
    cache.observe(EventObserver(events))
    #expect(events.events.map(\.kind) == [.advice])
  }

  @Test func `a second table is reported once, where limits were configured`() throws {
    let feature = try Caches { Feature("users") { Memory(.count(100)) } }["users"]
    let events = EventRecorder<CacheEvent>()
    feature.observe(EventObserver(events))
    let tables: [any Sendable] = [
      feature.cache(Int.self, Int.self), feature.cache(Int.self, Int.self),
    ]
    #expect(events.events.isEmpty)
    let more: [any Sendable] = [
      feature.cache(Int.self, String.self), feature.cache(String.self, String.self),
    ]
    #expect(tables.count == more.count)
    #expect(events.events.map(\.kind) == [.advice])
    let onDemand = try Caches.inMemory["f"]
    onDemand.observe(EventObserver(events))
    _ = (onDemand.cache(Int.self, Int.self), onDemand.cache(Int.self, String.self))
    #expect(events.events.count == 1)
  }

  @Test func `a limit of no load counts as one`() async throws {
    var policy = CachePolicy()
    policy.maximumConcurrentLoads = 0
    let cache = try Cache<Int, Int>(name: "c", policy: policy) { Memory() }
    #expect(try await cache.cached(1) { 1 } == 1)
  }
}
