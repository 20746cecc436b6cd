// Waiting suspends inside two handlers, cancellation and escalation. Both functions are inlined into
// their callers: the frames of a suspended caller then fit into the first block of its task's memory
// and one more, which saves a kilobyte for each waiter.

extension Flight {
  /// Waits for the end of the flight in a slot reserved before.
  ///
  /// Cancellation of the calling task ends the wait at once; a later escalation of it raises the
  /// work too, where the platform can.
  ///
  /// - Parameter slot: the caller's slot.
  /// - Returns: how the wait ended.
  @inline(__always)
  nonisolated(nonsending) func wait(in slot: WaiterSlot) async -> Waiter.End {
    await withTaskCancellationHandler {
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        await withTaskPriorityEscalationHandler {
          await suspend(in: slot)
        } onPriorityEscalated: { _, new in
          self.escalate(to: new)
        }
      } else {
        await suspend(in: slot)
      }
    } onCancel: {
      leave(slot)
    }
  }

  @inline(__always)
  private nonisolated(nonsending) func suspend(in slot: WaiterSlot) async -> Waiter.End {
    unsafe await withUnsafeContinuation { continuation in
      let waiter = unsafe Waiter.suspended(continuation)
      if let end = park(waiter, in: slot) { waiter.resume(end) }
    }
  }
}
