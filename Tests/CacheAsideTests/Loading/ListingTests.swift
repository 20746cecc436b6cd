import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct ListingTests {
  @Test(arguments: [Setup.memory, .disk, .memoryAndDisk])
  func `K3 a listing shows the entries of its scope only`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open()
    try await cache.set(1, for: "k")
    try await Caches.withScope(["user": "a"]) { try await cache.set(2, for: "k") }

    let plain = try await cache.entries()
    #expect(plain.map(\.value) == [1])
    #expect(plain.map(\.key) == ["k"])
    try await Caches.withScope(["user": "a"]) {
      let scoped = try await cache.entries()
      #expect(scoped.map(\.value) == [2])
      #expect(cache.allObjects() == [2])
    }
    try await Caches.withScope(["user": "b"]) {
      let other = try await cache.entries()
      #expect(other.isEmpty)
    }
  }
}
