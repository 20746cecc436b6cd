import Synchronization

/// Something that is done at a moment, unless it is cancelled before.
///
/// When it is cancelled, nothing of it is left but this object.
package final class Deadline: Sendable {
  /// Where it lies in the heap of its queue, below zero when it lies there no more.
  ///
  /// Written under the queue's lock.
  let position = Atomic<Int>(-1)
  private let queue: DeadlineQueue?

  /// Makes a deadline.
  ///
  /// - Parameter queue: where it will lie; `nil` for one that never comes.
  init(in queue: DeadlineQueue? = nil) { self.queue = queue }

  /// Keeps the moment from coming; without effect when it has come.
  ///
  /// O(log n) in the deadlines of the clock.
  package func cancel() { queue?.remove(self) }
}
