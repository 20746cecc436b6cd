// Waiting suspends inside two handlers, cancellation and escalation. Both functions are inlined into
// their callers, and their closures hold nothing but the seat, which then needs no place of its own:
// so the frames of a suspended caller that is itself small fit into the first block of its task's
// memory, which saves a kilobyte for each waiter.

extension FlightSeat {
  /// Waits for the end of the flight in the slot that was reserved.
  ///
  /// Cancellation of the calling task ends the wait at once; a later escalation of it raises the
  /// work too, where the platform can.
  ///
  /// - Returns: how the wait ended.
  @inline(__always)
  nonisolated(nonsending) func wait() async -> Waiter.End {
    await withTaskCancellationHandler {
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        await withTaskPriorityEscalationHandler {
          await suspend()
        } onPriorityEscalated: { _, new in
          self.flight.escalate(to: new)
        }
      } else {
        await suspend()
      }
    } onCancel: {
      flight.leave(slot)
    }
  }

  @inline(__always)
  private nonisolated(nonsending) func suspend() async -> Waiter.End {
    unsafe await withUnsafeContinuation { continuation in
      let waiter = unsafe Waiter.suspended(continuation)
      if let end = flight.park(waiter, in: slot) { waiter.resume(end) }
    }
  }
}
