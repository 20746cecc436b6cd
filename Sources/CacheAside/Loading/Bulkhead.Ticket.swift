extension Bulkhead {
  /// A load's place in the queue.
  struct Ticket: Sendable {
    /// Where it waits.
    let bulkhead: Bulkhead
    /// Which load it is there.
    let number: UInt64
  }
}
