import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// A flight beside which many are answered keeps no slot for them.
@Suite struct FlightSlotTests {
  @Test func `a caller that is answered at once gives its slot back (B379)`() {
    var machine = FlightStateMachine(whenUnobserved: .cancel, priority: .medium)
    guard case .joined = machine.join(priority: .medium) else { return #expect(Bool(false)) }
    for _ in 0..<1_000 {
      guard case .joined(let slot, _, _) = machine.join(priority: .medium) else {
        return #expect(Bool(false))
      }
      _ = machine.withdraw(slot)
    }
    #expect(machine.waiterCount == 1)
    #expect(machine.waiters.capacity == 2)
  }

  @Test func `reads that are served beside a load leave nothing in it (B379)`() async throws {
    let fixture = try CacheFixture(.suspending)
    let gate = Gate()
    let cache = try fixture.open(
      Int.self,
      expiry: .seconds(1),
      policy: CachePolicy(staleWhileRevalidate: .seconds(100))
    )
    #expect(try await cache.cached("k") { 1 } == 1)
    try await fixture.clock.advance(by: .seconds(2))
    for _ in 0..<200 {
      let value = try await cache.cached("k") {
        await gate.waitIgnoringCancellation()
        return 2
      }
      #expect(value == 1)
    }
    try await gate.waitForArrivals(1)
    let hashed = HashedKey(key: "k", hash: cache.memory.hash(of: "k"))
    let flight = try #require(cache.flights.stripe(hashed.hash).flight(hashed))
    #expect(flight.state.withLock { $0.machine.waiters.capacity } <= 2)
    gate.open()
  }
}
