import CacheAsideTesting
import Testing

@testable import CacheAside

/// What callers get who looked just before a load of their key ended.
@Suite(.timeLimit(.minutes(60)))
struct LoadEndRaceTests {
  private static let policy = CachePolicy(
    expiry: .seconds(5),
    staleWhileRevalidate: .seconds(10),
    staleIfError: .seconds(100)
  )

  private let fixture: CacheFixture
  private let cache: Cache<String, Int>
  private let producer = CountingProducer<Int>.returning(2)

  init() throws {
    fixture = try CacheFixture(.memory)
    cache = try fixture.open(policy: Self.policy)
  }

  private var request: LoadRequest<Int> {
    LoadRequest(
      mode: .default,
      policy: CachePolicy(),
      storing: nil,
      producer: .deciding { [producer] in Produced(try await producer()) }
    )
  }

  private func failElsewhere(_ hash: UInt64) {
    _ = cache.rests.begin(HashedKey(key: "k", hash: hash), until: .max)
  }

  @Test func `T2 a background load does not ask a producer that rests`() async throws {
    let hash = cache.memory.hash(of: "k")
    let terms = try cache.core.terms(of: CachePolicy())
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(5))
      let aged = try #require(cache.agedInMemory("k", hash, terms))
      failElsewhere(hash)
      cache.startBackground("k", hash, request, terms, .stale(aged))
      try await fixture.clock.settle()
      #expect(producer.calls == 0)
      #expect(try await cache.outcome("k") { Produced(3) }.source == .stale(.resting))
      // Nor does one behind an answer that its caller wants renewed; who reloads has it loaded.
      cache.startBackground("k", hash, request.reloading, terms, .asked)
      try await fixture.clock.settle()
      #expect(producer.calls == 0)
      #expect(try await cache.lookup("k", request.reloading).loaded.value == 2)
      #expect(producer.calls == 1)
      #expect(cache.peek("k") == 2)
    }
    #expect(cache.isQuiet)
  }

  @Test func `T2 a load that a caller waits for does not either, and counts once`() async throws {
    let hash = cache.memory.hash(of: "k")
    let terms = try cache.core.terms(of: CachePolicy())
    try await fixture.clock.run {
      try await cache.set(1, for: "k")
      try await fixture.clock.advance(by: .seconds(20))
      failElsewhere(hash)
      let seat = try cache.flights.board(
        "k",
        hash: hash,
        whenUnobserved: .cancel,
        supersede: false,
        limit: nil,
        probe: { nil },
        run: { [cache, request] in try await cache.fly($0, "k", hash, request, terms, nil) }
      )
      let loaded = try seat.output(after: await seat.flight.wait(in: seat.slot))
      seat.leaveGraph()
      #expect(loaded.value == 1)
      #expect(loaded.stale == .resting)
    }
    #expect(producer.calls == 0)
    #expect(cache.statistics.staleServed == 1)
    #expect(cache.statistics.lookups == 1)
  }

  @Test func `T4 who settles just when the load ends gets its result`() async throws {
    let gate = GatedProducer<Int>()
    let now = fixture.clock.monotonicNanoseconds
    try await fixture.clock.run {
      let seat = try cache.flights.board(
        "k",
        hash: cache.memory.hash(of: "k"),
        whenUnobserved: .cancel,
        supersede: false,
        limit: nil,
        probe: { nil },
        run: { _ in
          Loaded(value: try await gate(), source: .produced, storedAt: now, deadline: now)
        }
      )
      try await gate.waitForRuns(1)
      seat.flight.offer { reason in
        Loaded(value: 1, source: .memory, storedAt: now, deadline: now, stale: reason)
      }
      seat.flight.release(seat.slot, .settled)
      gate.release(2)
      try await fixture.clock.settle()
      // Its wait ended with the older value, which the flight does not have any more.
      #expect(try seat.output(after: await seat.flight.wait(in: seat.slot)).value == 2)
      seat.leaveGraph()
    }
    #expect(cache.isQuiet)
  }
}

extension LoadRequest {
  /// The same in the mode `.reload`.
  fileprivate var reloading: LoadRequest {
    var request = self
    request.mode = .reload
    return request
  }
}
