import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite(.timeLimit(.minutes(60)))
struct EventTests {
  private func failing(_ count: Int, _ cache: Cache<String, Int>) async {
    for index in 0..<count {
      await #expect(throws: EngineError.boom) {
        try await cache.cached("\(index)") { () async throws -> Int in throw EngineError.boom }
      }
    }
  }

  @Test func `a slow reader keeps the newest events and the others are counted`() async throws {
    let cache = try CacheFixture(.memory).open()
    let stream = cache.events(bufferingNewest: 3)
    await failing(10, cache)
    #expect(cache.statistics.droppedEvents == 7)
    try await cache.close()
    var keys: [String] = []
    for await event in stream {
      #expect(event.kind == .loadFailed)
      #expect(event.error as? EngineError == .boom)
      keys.append(event.key?.text ?? "")
    }
    #expect(keys == ["7", "8", "9"])
    cache.resetStatistics()
    #expect(cache.statistics.droppedEvents == 0)
  }

  @Test func `a stream that is asked for after the end is over`() async throws {
    let cache = try CacheFixture(.memory).open()
    try await cache.close()
    for await event in cache.events() { Issue.record("\(event) after the end") }
  }

  @Test func `a reader that stops is forgotten`() async throws {
    let cache = try CacheFixture(.memory).open()
    do {
      let stream = cache.events(bufferingNewest: 1)
      await failing(1, cache)
      for await _ in stream { break }
    }
    await failing(5, cache)
    #expect(cache.statistics.droppedEvents == 0)
  }

  @Test func `observers see every event with feature, store and key`() async throws {
    let fixture = try TierFixture(.suspending)
    fixture.inject(.fail(EngineError.net), on: .write, times: 1)
    try await fixture.cache.set(1, for: "k")
    let event = try #require(fixture.events.events.first)
    #expect(fixture.events.events.count == 1)
    #expect(event.kind == .writeFailed)
    #expect(event.feature == "feature")
    #expect(event.store == "plain")
    #expect(event.key?.text == "k")
    #expect(event.error as? EngineError == .net)
  }

  @Test func `a value that cannot be encoded stays in memory and is reported`() async throws {
    struct Opaque: Sendable { let number: Int }
    let store = PlainStore()
    let cache = try Cache<String, Opaque>(name: "feature") {
      Memory()
      Store(store)
    }
    let events = EventRecorder<CacheEvent>()
    cache.observe(EventObserver(events))
    #expect(try await cache.cached("k") { Opaque(number: 1) }.number == 1)
    #expect(cache.peek("k")?.number == 1)
    #expect(events.events.map(\.kind) == [.advice, .encodeFailed])
    #expect(cache.statistics.encodeFailures == 1)
  }
}
