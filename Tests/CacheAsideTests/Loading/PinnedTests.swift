import CacheAsideTesting
import Testing

@testable import CacheAside

/// Entries that are kept when memory needs room.
@Suite(.timeLimit(.minutes(60)))
struct PinnedTests {
  private func fill(_ cache: Cache<String, Int>) async throws {
    for number in 0..<100 { try await cache.set(number, for: "other \(number)") }
  }

  private func isPinned(_ key: String, in cache: Cache<String, Int>) -> Bool {
    cache.memory.entry(for: key, hash: cache.memory.hash(of: key))?.terms?.isPinned == true
  }

  @Test func `what set, update and producers pin stays`() async throws {
    let cache = try CacheFixture(.memory).open(Int.self, limits: .count(8))
    try await cache.set(1, for: "set", pinned: true)
    try cache.setBlocking(2, for: "blocking", pinned: true)
    try await cache.update("update", pinned: true) { value in value = 3 }
    _ = try await cache.cached("made") { Produced(4, isPinned: true) }
    try await cache.set(5, for: "plain")
    try await fill(cache)
    #expect(cache.peek("set") == 1)
    #expect(cache.peek("blocking") == 2)
    #expect(cache.peek("update") == 3)
    #expect(cache.peek("made") == 4)
    // Which of the others are left is the policy's choice; there is room for four.
    let others = ["plain"] + (0..<100).map { "other \($0)" }
    #expect(others.filter { cache.peek($0) != nil }.count == 4)
  }

  @Test func `a pinned entry expires and is removed as any other`() async throws {
    let fixture = try CacheFixture(.memory)
    let cache = try fixture.open(Int.self, limits: .count(8))
    try await cache.set(1, for: "a", expiry: .seconds(5), pinned: true)
    try await cache.set(2, for: "b", pinned: true)
    try await cache.remove("b")
    try await fixture.clock.advance(by: .seconds(5))
    #expect(cache.peek("a") == nil && cache.peek("b") == nil)
  }

  @Test func `a renewal keeps the pin, a new value needs its own`() async throws {
    let cache = try CacheFixture(.memory).open(Int.self, limits: .count(8))
    _ = try await cache.cached("renewed") { Produced(1, isPinned: true) }
    _ = try await cache.outcome("renewed", mode: .reload) { (_: Previous<Int>?) in .notModified }
    try await cache.set(2, for: "replaced", pinned: true)
    #expect(isPinned("replaced", in: cache))
    try await cache.set(3, for: "replaced")
    #expect(!isPinned("replaced", in: cache))
    try await fill(cache)
    #expect(cache.peek("renewed") == 1)
  }
}
