import Synchronization

extension Bulkhead {
  /// A load's place in the queue.
  final class Ticket: Sendable {
    /// Where it waits.
    let bulkhead: Bulkhead
    /// Which load it is there; the later one has the higher number.
    let number: UInt64
    /// Whose load it is.
    let flight: Registration?
    /// Where it lies in the queue, below zero when it waits no more.
    ///
    /// Written under the lock of the bulkhead, as is ``isCancelled``.
    let position = Atomic<Int>(-1)
    let isCancelled = Atomic<Bool>(false)

    init(_ bulkhead: Bulkhead, number: UInt64, flight: Registration?) {
      self.bulkhead = bulkhead
      self.number = number
      self.flight = flight
    }
  }
}
