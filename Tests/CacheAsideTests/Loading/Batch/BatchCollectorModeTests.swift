import CacheAsideTesting
import Testing

@testable import CacheAside

/// Modes of single calls that are collected.
@Suite(.timeLimit(.minutes(60)))
struct BatchCollectorModeTests {
  private let fixture: BatchFixture
  private let feature: CacheFeature
  private let fetch: BatchCollector<Int, Int>

  init() throws {
    fixture = try BatchFixture()
    feature = try fixture.open(CachePolicy(expiry: .minutes(5), keepExpired: .minutes(60)))
    fetch = fixture.batch(feature).batching(maximum: 100, window: .seconds(1))
  }

  @Test func `reloads are collected with reloads, each id once`() async throws {
    let (clock, source, fetch) = (fixture.clock, fixture.source, fetch)
    try await clock.run {
      try await feature.integers.set(1, for: "n/1")
      let reloads = [1, 2, 1].map { id in
        clock.startTask { try await Caches.withMode(.reload) { try await fetch(id) } }
      }
      let plain = clock.startTask { try await fetch(3) }
      #expect(try await fetch(1) == 1)
      try await clock.advance(by: .seconds(1))
      #expect(Set(source.asked) == [[1, 2], [3]])
      for _ in 0..<2 { source.answer([1, 2, 3]) }
      #expect(try await reloads[0].value == 10)
      #expect(try await reloads[1].value == 20)
      #expect(try await reloads[2].value == 10)
      #expect(try await plain.value == 30)
      // One that has begun is too old for a reload.
      let first = clock.startTask { try await fetch(1, mode: .reload) }
      try await clock.advance(by: .seconds(1))
      let second = clock.startTask { try await fetch(1, mode: .reload) }
      try await clock.advance(by: .seconds(1))
      #expect(source.asked.dropFirst(2) == [[1], [1]])
      for value in [7, 8] { source.producer.release([1: value]) }
      #expect(try await first.value == 7)
      #expect(try await second.value == 8)
      #expect(try await fetch(1) == 8)
    }
    #expect(feature.isQuiet)
  }

  @Test func `the other modes are those of a call of one`() async throws {
    let (clock, source, fetch) = (fixture.clock, fixture.source, fetch)
    try await clock.run {
      try await feature.integers.set(1, for: "n/1")
      #expect(try await fetch(1, mode: .cacheOnly) == 1)
      let error = await #expect(throws: CacheError.self) {
        try await fetch(2, mode: .cacheOnly)
      }
      #expect(error?.code == .notCached)
      // Nothing waits for the window.
      source.answer([1])
      #expect(try await fetch(1, mode: .bypass) == 10)
      #expect(try await fetch(1) == 1)
      let behind = try await fetch(1, mode: .cacheThenRefresh)
      #expect(behind == 1)
      source.producer.release([1: 11])
      try await clock.settle()
      #expect(try await fetch(1) == 11)
      try await clock.advance(by: .seconds(360))
      #expect(try await fetch(1, mode: .anyAge) == 11)
      let missing = clock.startTask { try await fetch(2, mode: .anyAge) }
      try await clock.advance(by: .seconds(1))
      source.answer([2])
      #expect(try await missing.value == 20)
      #expect(source.asked == [[1], [1], [2]])
    }
    #expect(feature.isQuiet)
  }
}
