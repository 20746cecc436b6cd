import CacheAsideTesting
import Testing

@testable import CacheAside

/// What hides a key while a change is queued goes with that change, not with an older one.
@Suite(.timeLimit(.minutes(60)))
struct NewerStoneTests {
  @Test func `the end of a queued write shows nothing that was removed after it`() async throws {
    let fixture = try TierFixture(.suspending, memory: false)
    let cache = fixture.cache
    let writing = Gate()
    let removing = Gate()
    fixture.inject(.delay(writing), on: .write, times: 1)
    fixture.inject(.delay(removing), on: .remove, times: 1)
    cache["k"] = 1
    try await writing.waitForArrivals(1)
    cache["k"] = nil
    writing.open()
    try await removing.waitForArrivals(1)
    #expect(try await fixture.record() != nil)
    #expect(try await cache.value(for: "k") == nil)
    removing.open()
    try await cache.flush()
    #expect(try await fixture.record() == nil)
    #expect(try await cache.value(for: "k") == nil)
  }
}
