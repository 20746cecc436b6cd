// Time limits of a flight: of one caller's wait, and of the whole load.

import Synchronization

extension Flight {
  /// Says what callers can have who do not want to wait for the result.
  ///
  /// Those whose patience is at its end already get it at once.
  ///
  /// - Parameter fallback: gives something older; called outside all locks.
  func offer(_ fallback: @escaping Fallback) {
    let output = fallback(.softTimeout)
    let (replaced, count, waiters) = state.withLock { state -> (Fallback?, Int, [Waiter]) in
      guard state.machine.isOpen else { return (nil, 0, []) }
      let replaced = state.fallback
      state.fallback = fallback
      guard let output else { return (replaced, 0, []) }
      for slot in state.machine.impatient { state.settled[slot] = output }
      let (count, waiters) = state.machine.offerFallback()
      return (replaced, count, waiters)
    }
    // Released outside the lock: it may hold a value.
    _ = replaced
    counters.addWaiters(-count)
    for waiter in waiters { waiter.resume(.settled) }
  }

  /// What can be had instead of the result.
  ///
  /// - Parameter reason: why it is asked for.
  /// - Returns: `nil` if there is nothing, or it may not be served any more.
  func fallback(_ reason: StaleReason) -> Output? {
    let fallback = state.withLock { $0.fallback }
    return fallback?(reason)
  }

  /// Ends a caller's wait without its leaving: the work goes on.
  ///
  /// - Parameters:
  ///   - slot: the caller's slot.
  ///   - end: how the wait ends.
  func release(_ slot: WaiterSlot, _ end: Waiter.End) {
    if end == .settled { return settle(slot) }
    if end == .timedOut, let output = fallback(.hardTimeout) {
      return settle(slot, with: output)
    }
    let (waited, waiter) = state.withLock { $0.machine.release(slot, end) }
    if waited { counters.addWaiters(-1) }
    waiter?.resume(end)
  }

  /// Ends the wait of a caller who takes something older, with what there is at this moment: its window
  /// may end before the caller runs again.
  private func settle(_ slot: WaiterSlot) {
    let fallback = state.withLock { state -> Fallback? in
      // Without anything yet, the next offer ends the wait.
      if state.fallback == nil { _ = state.machine.settle(slot) }
      return state.fallback
    }
    // What may not be served any more ends nobody's wait.
    guard let output = fallback?(.softTimeout) else { return }
    settle(slot, with: output)
  }

  private func settle(_ slot: WaiterSlot, with output: Output) {
    let (waited, waiter) = state.withLock { state in
      let released = state.machine.release(slot, .settled)
      if released.waited { state.settled[slot] = output }
      return released
    }
    if waited { counters.addWaiters(-1) }
    waiter?.resume(.settled)
  }

  /// What a caller gets whose wait has ended with ``Waiter/End/settled``.
  func takeSettled(_ slot: WaiterSlot) -> Output? {
    state.withLock { $0.settled.removeValue(forKey: slot) }
  }

  /// Starts the clock of the whole load.
  ///
  /// - Parameter limit: how long it may take.
  func startLimit(_ limit: FlightLimit<Output>) {
    let deadline = Lifetime.sum(time.precise, limit.nanoseconds)
    guard deadline != .max else { return }
    let limit = time.call(at: deadline) { [weak self] in
      if let self { giveUp { limit.result(self) } }
    }
    if !state.withLock({ $0.machine.install(limit: limit) }) { limit.cancel() }
  }
}
