import CacheAsideTesting
import Testing

@testable import CacheAside

/// Records whose times no right clock gives: stores may hand out anything.
@Suite(.timeLimit(.minutes(60)))
struct RecordTimesTests {
  private let key = CacheKey(text: "k", namespace: Namespace("feature"))

  @Test(arguments: [Int64.min, .min / 2, -10, .max / 2, .max - 1, .max])
  func `S2 T3 a record is read by its times, wherever they lie`(moment: Int64) async throws {
    let clock = ManualClock()
    let plain = PlainStore()
    let policy = CachePolicy(expiry: .seconds(100), staleIfError: .seconds(10))
    let cache = try Cache<String, Int>(name: "feature", policy: policy, time: clock.timeSource) {
      Memory()
      Store(plain)
    }
    for part in 0..<8 {
      try await cache.set(1, for: "k")
      var record = try #require(await plain.only)
      if part & 1 != 0 { record.created = moment }
      if part & 2 != 0 { record.freshUntil = moment }
      if part & 4 != 0 { record.keptUntil = moment }
      cache.removeAllFromMemory()
      try await plain.set(record, for: key)
      let now = clock.wallMicroseconds
      let isFresh = record.created <= now + 5_000_000 && now < record.freshUntil
      let explanation = await cache.explain("k")
      #expect((explanation.tiers[1].finding == .fresh) == isFresh)
      #expect((explanation.rule == .fresh) == isFresh)
      #expect(!"\(explanation)".isEmpty)
      let read = try await Caches.withTrace(CacheTrace()) { try await cache.value(for: "k") }
      #expect(read == (isFresh ? 1 : nil))
      cache.removeAllFromMemory()
      _ = try await cache.entry(for: "k")
      #expect(try await cache.cached("k") { 2 } == (isFresh ? 1 : 2))
    }
  }

  @Test(arguments: [Setup.disk, .suspending])
  func `T2 T3 a record from the future serves no failing load`(setup: Setup) async throws {
    let fixture = try CacheFixture(setup)
    let cache = try fixture.open(
      policy: CachePolicy(
        expiry: .seconds(10),
        staleWhileRevalidate: .seconds(20),
        staleIfError: .seconds(20)
      )
    )
    try await fixture.clock.run {
      let wall = fixture.clock.wallMicroseconds
      fixture.clock.setWall(wall + 86_400_000_000)
      try await cache.set(1, for: "k")
      fixture.clock.setWall(wall)
      for _ in 0..<2 {
        let explanation = await cache.explain("k")
        // The disk store removes it when it is judged (B213).
        #expect(explanation.tiers[0].finding == (setup == .disk ? .absent : .expired))
        #expect(explanation.tiers[0].staleIfError == nil)
        #expect(explanation.nextRead == "The next read runs the producer")
        await #expect(throws: EngineError.boom) {
          try await cache.cached("k") { () async throws -> Int in throw EngineError.boom }
        }
        #expect(try await cache.entry(for: "k")?.isFresh == (setup == .disk ? nil : false))
        try await fixture.clock.advance(by: .seconds(3_600))
      }
    }
  }
}
