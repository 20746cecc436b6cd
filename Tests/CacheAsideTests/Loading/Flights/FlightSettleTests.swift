import CacheAsideTesting
import Testing

@testable import CacheAside

/// What a caller settles for is decided when its patience ends, not when it runs again.
@Suite(.timeLimit(.minutes(60)))
struct FlightSettleTests {
  private let clock = ManualClock()
  private let table: FlightTable<String, Int>
  private let flight: Flight<Int>
  private let seat: FlightSeat<Int>

  init() {
    table = FlightTable(time: clock.timeSource)
    let (flight, slot, joined) = table.enter(
      HashedKey(key: "k", hash: 1),
      supersedes: false,
      whenUnobserved: .cancel,
      priority: .medium
    )
    self.flight = flight
    seat = FlightSeat(flight: flight, slot: slot, joined: joined)
  }

  /// Something older whose window ends in a second.
  private func offer() {
    let time = clock.timeSource
    let end = time.precise + 1_000_000_000
    flight.offer { _ in time.precise < end ? 7 : nil }
  }

  @Test func `T4 a window that ends before the caller runs again does not make it time out`()
    async throws
  {
    offer()
    flight.release(seat.slot, .settled)
    try await clock.advance(by: .seconds(1))
    #expect(try seat.output(after: await flight.wait(in: seat.slot)) == 7)
    flight.complete(.success(1))
    #expect(table.waiterCount == 0)
  }

  @Test func `T4 the same for something older that is found after patience has ended`()
    async throws
  {
    flight.release(seat.slot, .settled)
    #expect(table.waiterCount == 1)
    offer()
    #expect(table.waiterCount == 0)
    try await clock.advance(by: .seconds(1))
    #expect(try seat.output(after: await flight.wait(in: seat.slot)) == 7)
    flight.complete(.failure(EngineError.boom))
  }

  @Test func `T4 what is over when patience ends ends no wait`() async throws {
    offer()
    try await clock.advance(by: .seconds(1))
    flight.release(seat.slot, .settled)
    #expect(table.waiterCount == 1)
    flight.complete(.success(1))
    #expect(try seat.output(after: await flight.wait(in: seat.slot)) == 1)
  }

  @Test func `T4 a flight that ends before the caller runs again changes nothing for it`()
    async throws
  {
    offer()
    flight.release(seat.slot, .settled)
    flight.complete(.failure(EngineError.boom))
    #expect(try seat.output(after: .settled) == 7)
    flight.release(seat.slot, .settled)
    #expect(table.waiterCount == 0)
  }
}
