import Synchronization

// The asynchronous twin of the blocking gate, for tiers whose store suspends. First come, first
// served; a waiter is not cancellable, since what it waits for is one operation of a store.

/// A mutual exclusion by key, in stripes, that suspends instead of blocking.
final class AsyncGate: Sendable {
  private struct State {
    var isHeld = false
    var waiters = FIFOQueue<CheckedContinuation<Void, Never>>()
  }

  private final class Stripe: Sendable {
    let state = Lock(State())
  }

  private let stripes = (0..<64).map { _ in Stripe() }

  func withGate<Result: Sendable>(
    _ stripe: UInt64,
    _ body: () async throws -> Result
  ) async throws -> Result {
    let stripe = stripes[Int(stripe & 63)]
    await enter(stripe)
    defer { leave(stripe) }
    return try await body()
  }

  /// Holds several stripes; they are entered in one order by all, so that nobody waits in a circle.
  func withGates<Result: Sendable>(
    _ stripes: [UInt64],
    _ body: () async -> Result
  ) async -> Result {
    let entered = Set(stripes.map { Int($0 & 63) }).sorted().map { self.stripes[$0] }
    for stripe in entered { await enter(stripe) }
    defer { for stripe in entered.reversed() { leave(stripe) } }
    return await body()
  }

  /// Waits until everybody who is inside now, or waits to be, has left.
  func passAll() async {
    for stripe in stripes {
      await enter(stripe)
      leave(stripe)
    }
  }

  private func enter(_ stripe: Stripe) async {
    let entered = stripe.state.withLock { state in
      if state.isHeld { return false }
      state.isHeld = true
      return true
    }
    if entered { return }
    await withCheckedContinuation { continuation in
      let entered = stripe.state.withLock { state in
        if state.isHeld {
          state.waiters.append(continuation)
          return false
        }
        state.isHeld = true
        return true
      }
      if entered { continuation.resume() }
    }
  }

  private func leave(_ stripe: Stripe) {
    // The gate passes straight to the next waiter, so that nobody overtakes it.
    let next = stripe.state.withLock { state in
      let next = state.waiters.popFirst()
      if next == nil { state.isHeld = false }
      return next
    }
    next?.resume()
  }
}
