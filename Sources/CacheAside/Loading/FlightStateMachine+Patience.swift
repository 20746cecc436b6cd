// Callers who wait only so long. They are released, not gone: the work goes on for them and is
// stored.

extension FlightStateMachine {
  /// Ends a caller's wait without its leaving the flight.
  ///
  /// - Parameters:
  ///   - slot: the caller's slot.
  ///   - end: how the wait ends.
  /// - Returns: whether it waited, and who has to be resumed if it was parked.
  mutating func release(
    _ slot: WaiterSlot,
    _ end: Waiter.End
  ) -> (waited: Bool, waiter: Waiter?) {
    guard isOpen else { return (false, nil) }
    impatient.remove(slot)
    switch waiters.release(slot, end) {
    case .none: return (false, nil)
    case .beforeParking: return (true, nil)
    case .parked(let waiter): return (true, waiter)
    }
  }

  /// Ends the wait of a caller who takes something older, as soon as there is something.
  ///
  /// - Parameter slot: the caller's slot.
  /// - Returns: as ``release(_:_:)``.
  mutating func settle(_ slot: WaiterSlot) -> (waited: Bool, waiter: Waiter?) {
    if hasFallback { return release(slot, .settled) }
    if isOpen, waiters.isWaiting(slot) { impatient.insert(slot) }
    return (false, nil)
  }

  /// Notes that there is something older, and ends the waits of those who would take it.
  ///
  /// - Returns: how many waits have ended, and who has to be resumed.
  mutating func offerFallback() -> (count: Int, waiters: [Waiter]) {
    guard isOpen else { return (0, []) }
    hasFallback = true
    var count = 0
    var resumed: [Waiter] = []
    for slot in impatient.sorted(by: { $0.index < $1.index }) {
      let (waited, waiter) = release(slot, .settled)
      if waited { count += 1 }
      if let waiter { resumed.append(waiter) }
    }
    return (count, resumed)
  }
}
