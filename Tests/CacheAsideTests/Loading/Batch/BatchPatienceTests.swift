import CacheAsideTesting
import Testing

@testable import CacheAside

/// A batch's patience and cancellation concern its own waits only, and count from the call.
@Suite(.timeLimit(.minutes(60)))
struct BatchPatienceTests {
  private static let expired = CachePolicy(
    expiry: .seconds(10),
    staleIfError: .seconds(1_000)
  )

  @Test(arguments: [false, true])
  func `F2 T4 a batch whose wait for a key is over ends no other caller's wait for it`(
    cancels: Bool
  ) async throws {
    let fixture = try BatchFixture(.memory)
    var policy = Self.expired
    policy.softTimeout = .seconds(1)
    policy.hardTimeout = .seconds(5)
    policy.abandonAfter = .seconds(500)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    let clock = fixture.clock
    var patient = CachePolicy()
    patient.softTimeout = .seconds(100)
    patient.hardTimeout = .seconds(200)
    let long = patient
    try await clock.run {
      try await feature.integers.set(1, for: "n/1")
      try await clock.advance(by: .seconds(11))
      let batch = clock.startTask { try await fetch([1, 2]) }
      try await clock.settle()
      // Key 1 has a stale value, so that the batch's wait for it is over; key 2 has none.
      try await clock.advance(by: .seconds(2))
      let other = clock.startTask {
        try await feature.integers.cached("n/1", policy: long) { () async throws -> Int in -1 }
      }
      try await clock.settle()
      if cancels { batch.cancel() } else { try await clock.advance(by: .seconds(4)) }
      try await clock.settle()
      fixture.source.answer([1, 2])
      try await clock.settle()
      #expect(try await other.value == 10)
      let answered = await batch.result
      #expect(throws: (any Error).self) { try answered.get() }
    }
    #expect(feature.isQuiet)
  }

  @Test(arguments: [false, true])
  func `T4 the hard timeout of a batch counts from the call, whatever happens to the load`(
    isCollected: Bool
  ) async throws {
    let fixture = try BatchFixture(.memory)
    var policy = CachePolicy(expiry: .seconds(1_000))
    policy.hardTimeout = .seconds(10)
    let feature = try fixture.open(policy)
    let fetch = fixture.batch(feature)
    let clock = fixture.clock
    let slow = GatedProducer<Int>()
    try await clock.run {
      let first = clock.startTask {
        try await feature.integers.outcome("n/1") { () async throws -> Produced<Int> in
          Produced(try await slow(), tags: ["x"])
        }.value
      }
      try await clock.settle()
      try await feature.integers.remove(CacheSelector.tag("x"))
      let collector = fetch.batching(maximum: 1, window: .seconds(1))
      let second = clock.startTask { () async throws -> Int? in
        isCollected ? try await collector(1) : try await fetch([1])[1]
      }
      try await clock.settle()
      try await clock.advance(by: .seconds(9))
      // What it has joined was invalidated before it came, so it looks again and loads.
      slow.release(1)
      try await clock.settle()
      try await clock.advance(by: .milliseconds(500))
      #expect(feature.integers.flights.waiterCount == 1)
      try await clock.advance(by: .milliseconds(500))
      let error = await #expect(throws: CacheError.self) { try await second.value }
      #expect(error?.code == .timedOut)
      fixture.source.answer([1])
      #expect(try await first.value == 1)
    }
  }
}
