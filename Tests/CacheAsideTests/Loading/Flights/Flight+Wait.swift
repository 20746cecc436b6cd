@testable import CacheAside

extension Flight {
  /// Waits in a slot that was reserved.
  nonisolated(nonsending) func wait(in slot: WaiterSlot) async -> Waiter.End {
    await FlightSeat(flight: self, slot: slot, joined: true).wait()
  }
}
