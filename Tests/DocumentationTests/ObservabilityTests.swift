import CacheAside
import Foundation
import Synchronization
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(5))) struct ObservabilityTests {
  private let caches = Caches.inMemory

  @Test func `ask where a value came from`() async throws {
    // snippet: Ask where a value came from
    let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }

    let first = try await fetchUser.outcome(42)
    #expect(first.source == .produced)
    #expect(!first.isLoadedFromCache)

    let second = try await fetchUser.outcome(42)
    #expect(second.source == .memory)
    print(second.age, second.remainingLife ?? .zero)
    // end
  }

  @Test func `look without touching`() async throws {
    // snippet: Look without touching
    let users = try caches["users"].cache(Int.self, User.self)
    try await users.set(User(id: 42, name: "Ada"), for: 42, expiry: .minutes(5))
    if let entry = try await users.entry(for: 42) {
      print(entry.value, entry.isFresh, entry.age)
    }
    // end
    #expect(users.statistics.lookups == 0)
  }

  @Test func count() async throws {
    // snippet: Count
    let users = try caches["users"]
    let fetchUser = users.cached("user") { (id: Int) in try await api.user(id) }
    _ = try await fetchUser(1)
    _ = try await fetchUser(1)

    let statistics = users.statistics
    #expect(statistics.lookups == 2)
    #expect(statistics.hitRatio == 0.5)
    #expect(statistics.loads == 1)
    // end
  }

  @Test func `listen to events`() async throws {
    // snippet: Listen to events
    let events = try caches["users"].events()
    let log = Task {
      for await event in events { print(event) }
    }
    // end
    await caches.close()
    await log.value
  }

  @Test func `listen to events with an observer`() async throws {
    // snippet: Listen to events
    final class FailureCounter: CacheObserver {
      let failures = Atomic<Int>(0)

      func receive(_ event: CacheEvent) {
        if event.kind == .loadFailed { failures.add(1, ordering: .relaxed) }
      }
    }

    let counter = FailureCounter()
    let users = try caches["users"]
    users.observe(counter)
    await #expect(throws: URLError.self) {
      try await users.cached(key: "user/1") { () async throws -> User in throw URLError(.timedOut) }
    }
    #expect(counter.failures.load(ordering: .relaxed) == 1)
    // end
  }

  @Test func `hear what leaves memory`() throws {
    // snippet: Hear what leaves memory
    let sizes = try Cache<String, Int>(
      name: "sizes",
      onRemoval: { key, value, reason in print("\(key) left: \(reason)") }
    ) { Memory(.count(100)) }
    sizes["a"] = 1
    sizes["a"] = nil
    // end
    #expect(sizes.count == 0)
  }
}
