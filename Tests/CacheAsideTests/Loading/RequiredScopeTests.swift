import CacheAsideTesting
import Testing

@testable import CacheAside

/// Features whose calls need scope parts.
@Suite(.timeLimit(.minutes(5)))
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
