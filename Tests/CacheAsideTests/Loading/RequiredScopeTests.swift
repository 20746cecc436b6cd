import CacheAsideTesting
import Testing

@testable import CacheAside

/// Features whose calls need scope parts.
@Suite(.timeLimit(.minutes(60)))
struct RequiredScopeTests {
  private static var policy: CachePolicy {
    var policy = CachePolicy(expiry: .hours(1), staleIfError: .hours(1))
    policy.requiredScope = ["tenant"]
    return policy
  }

  private func refuses(
    _ way: String,
    _ call: () async throws -> Void
  ) async {
    do {
      try await call()
      Issue.record("\(way) was answered")
    } catch {
      #expect((error as? CacheError)?.code == .missingScope, "\(way)")
    }
  }

  @Test(arguments: Setup.allCases, [CacheScope.none, ["user": "ada"]])
  func `without the part no way in is answered, whatever is there`(
    setup: Setup,
    scope: CacheScope
  ) async throws {
    let fixture = try CacheFixture(setup)
    // Written by a program that did not require it yet.
    try await Caches.withScope(scope) { try await fixture.open().set(1, for: "k") }
    let cache = try fixture.open(policy: Self.policy)
    await Caches.withScope(scope) {
      await refuses("cached") { _ = try await cache.cached("k") { 2 } }
      await refuses("Produced") { _ = try await cache.cached("k") { Produced(2) } }
      await refuses("previous") {
        _ = try await cache.cached("k") { (_: Previous<Int>?) in Produced(2) }
      }
      for mode in [
        CacheMode.default, .reload, .bypass, .cacheOnly, .anyAge, .cacheThenRefresh,
      ] {
        await refuses("\(mode)") { _ = try await cache.outcome("k", mode: mode) { Produced(2) } }
      }
      await refuses("refresh") { _ = try await cache.refresh("k") { 2 } }
      await refuses("updates") { for try await _ in cache.updates("k", { 2 }) {} }
      await refuses("set") { try await cache.set(2, for: "k") }
      await refuses("setBlocking") { try cache.setBlocking(2, for: "k") }
      await refuses("update") { try await cache.update("k") { $0 = 2 } }
      await refuses("value(for:)") { _ = try await cache.value(for: "k") }
      await refuses("values(for:)") { _ = try await cache.values(for: ["k"]) }
      await refuses("contains") { _ = try await cache.contains("k") }
      await refuses("entry(for:)") { _ = try await cache.entry(for: "k") }
      await refuses("entries") { _ = try await cache.entries() }
      cache["k"] = 2
      #expect(cache["k"] == nil && cache.peek("k") == nil)
      #expect(cache.object(forKey: "k", returnExpiredObjectIfPresent: true) == nil)
      #expect(cache.allObjects(includeExpired: true).isEmpty)
      let completion = Counter()
      cache.setObject(
        forKey: "k",
        cacheBlock: { success, _ in success(2, .never) },
        completion: { object, _, error in
          #expect(object == nil && (error as? CacheError)?.code == .missingScope)
          completion.add()
        }
      )
      #expect(completion.count == 1)
    }
    #expect(cache.isQuiet)
  }

  @Test(arguments: Setup.allCases)
  func `without the part no key is removed, expired or refreshed, and nothing is half done`(
    setup: Setup
  ) async throws {
    let fixture = try CacheFixture(setup)
    // Written by a program that did not require it yet, also in this process's memory.
    var policy = Self.policy
    policy.requiredScope = nil
    let caches = try Caches(time: fixture.clock.timeSource) {
      Feature("feature", policy: policy) { Store(fixture.plain) }
    }
    let old = try caches["feature"].cache(CacheKey.self, Int.self)
    try await old.set(1, for: "k")
    let feature = try Caches(time: fixture.clock.timeSource) {
      Feature("feature", policy: Self.policy) {
        if setup.hasMemory { Memory() }
        Store(fixture.plain)
      }
    }["feature"]
    let cache = feature.cache(CacheKey.self, Int.self)
    let function = feature.cached("f") { (number: Int) in number }
    cache.memory.insert(1, for: "k", deadline: .max)
    let events = EventRecorder<CacheEvent>()
    feature.observe(EventObserver(events))
    await refuses("remove") { try await cache.remove("k") }
    await refuses("expire") { try await cache.expire("k") }
    await refuses("removeBlocking") { try cache.removeBlocking("k") }
    await refuses("set for no time") { try await cache.set(2, for: "k", expiry: .seconds(0)) }
    await refuses("remove of the feature") { try await feature.remove("k") }
    await refuses("expire of the feature") { try await feature.expire("k") }
    await refuses("remove of a function") { try await function.remove(1) }
    await refuses("expire of a function") { try await function.expire(1) }
    await refuses("refresh of a function") { _ = try await function.refresh(1) }
    for selector: CacheSelector in [.key("k"), .keys(["k", "l"])] {
      await refuses("remove(selector)") { try await cache.remove(selector) }
      await refuses("expire(selector)") { try await cache.expire(selector) }
      await refuses("removeBlocking(selector)") { try cache.removeBlocking(selector) }
      await refuses("refresh(selector)") { try cache.refresh(selector) }
      await refuses("feature.remove(selector)") { try await feature.remove(selector) }
      await refuses("feature.expire(selector)") { try await feature.expire(selector) }
      await refuses("feature.refresh(selector)") { try feature.refresh(selector) }
      await refuses("invalidating") {
        try await feature.invalidating(selector) { _ = Issue.record("the write has begun") }
      }
    }
    // The advice about a second table comes with the function's first use.
    #expect(events.events.allSatisfy { $0.kind == .advice })
    events.removeAll()
    cache.removeFromMemory("k")
    cache["k"] = nil
    #expect(events.events.map(\.kind) == [.removalFailed, .removalFailed])
    #expect(events.events.allSatisfy { ($0.error as? CacheError)?.code == .missingScope })
    if setup.hasMemory { #expect(cache.memory.peek("k") == 1) }
    #expect(try await old.value(for: "k") == 1)
    // Bound to the part they work, on its own entry alone.
    try await Caches.withScope(["tenant": "a"]) {
      try await cache.set(2, for: "k")
      try await feature.remove(.key("k"))
      let value = try await cache.value(for: "k")
      #expect(value == nil)
    }
    #expect(try await old.value(for: "k") == 1)
    // What names no key is the feature's own.
    try await feature.remove(.all)
    #expect(try await old.value(for: "k") == nil)
  }

  @Test(arguments: CallableShape.allCases)
  func `callables need it too, and tenants share nothing`(shape: CallableShape) async throws {
    let feature = try Caches {
      Feature("f", policy: Self.policy) { Memory() }
    }["f"]
    let producer = CountingProducer { $0 }
    let function = shape.callable(in: feature) { _ in try await producer() }
    await refuses("call") { _ = try await function.call(1) }
    await refuses("outcome") { _ = try await function.outcome(1, .default) }
    #expect(producer.calls == 0)
    for tenant in ["a", "b"] {
      try await Caches.withScope(["tenant": tenant]) {
        let value = try await function.call(1)
        #expect(value == (tenant == "a" ? 1 : 2))
        #expect(try await function.call(1) == value)
      }
    }
    await refuses("call after others") { _ = try await function.call(1) }
    await refuses("immediate") { _ = try await feature.cached(key: "k") { 1 } }
  }
}
