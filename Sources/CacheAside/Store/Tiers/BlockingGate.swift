import Synchronization

// Orders the writes and removals of one key in one tier whose work blocks.
//
// A writer checks its mark inside the gate, and an invalidation marks before it enters. So either
// the write is over when the removal runs, or the writer sees the mark and writes nothing: an
// acknowledged removal comes after every older write. Held across system calls, and entered only on
// threads of stores and on threads of synchronous callers.

/// A mutual exclusion by key, in stripes.
final class BlockingGate: Sendable {
  private final class Stripe: Sendable {
    let lock = Lock<Void>(())
  }

  private let stripes = (0..<64).map { _ in Stripe() }

  func withGate<Result: Sendable>(
    _ stripe: UInt64,
    _ body: () throws -> Result
  ) rethrows -> Result {
    try HeldReports.hold {
      try stripes[Int(stripe & 63)].lock.withLock { _ in try body() }
    }
  }

  /// Waits until everybody who is inside now has left.
  func passAll() {
    for stripe in stripes { stripe.lock.withLock { _ in } }
  }
}
