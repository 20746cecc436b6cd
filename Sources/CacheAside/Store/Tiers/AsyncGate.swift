import Synchronization

// The asynchronous twin of the blocking gate, for tiers whose store suspends. First come, first
// served. A waiter whose operation was given up meanwhile is passed over.

/// A mutual exclusion by key, in stripes, that suspends instead of blocking.
final class AsyncGate: Sendable {
  /// Lets a waiter in; says whether it still waits.
  private typealias Waiter = @Sendable () -> Bool

  private struct State {
    var isHeld = false
    var waiters = FIFOQueue<Waiter>()
  }

  private final class Stripe: Sendable {
    let state = Lock(State())
  }

  private let stripes = (0..<64).map { _ in Stripe() }

  func withGate<Result: Sendable>(
    _ stripe: UInt64,
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await withGates([stripe], nil, body)
  }

  /// Holds several stripes; they are entered in one order by all, so that nobody waits in a circle.
  ///
  /// - Parameters:
  ///   - stripes: which ones.
  ///   - operation: what waits; given up, it stops waiting.
  ///   - body: runs behind the gates.
  /// - Returns: what it returns.
  /// - Throws: what it throws, and why the operation was given up.
  func withGates<Result: Sendable>(
    _ stripes: [UInt64],
    _ operation: TierOperation?,
    _ body: () async throws -> Result
  ) async throws -> Result {
    let wanted =
      stripes.count == 1
      ? [Int(stripes[0] & 63)] : Set(stripes.map { Int($0 & 63) }).sorted()
    var entered: [Stripe] = []
    defer { for stripe in entered.reversed() { leave(stripe) } }
    for index in wanted {
      try await enter(self.stripes[index], operation)
      entered.append(self.stripes[index])
    }
    return try await body()
  }

  /// Waits until everybody who is inside now, or waits to be, has left.
  func passAll(_ operation: TierOperation) async throws {
    for stripe in stripes {
      try await enter(stripe, operation)
      leave(stripe)
    }
  }

  /// How many wait, at all stripes.
  var waiterCount: Int {
    stripes.reduce(0) { $0 + $1.state.withLock { $0.waiters.count } }
  }

  private func enter(_ stripe: Stripe, _ operation: TierOperation?) async throws {
    if isFree(stripe, orElse: nil) { return }
    guard let operation else {
      return await withCheckedContinuation { continuation in
        let waiter: Waiter = {
          continuation.resume()
          return true
        }
        if isFree(stripe, orElse: waiter) { _ = waiter() }
      }
    }
    try await operation.wait { (promise: TierPromise<Void>) in
      let waiter: Waiter = { promise.finish(.success(())) }
      if isFree(stripe, orElse: waiter), !waiter() { leave(stripe) }
    }
  }

  /// Takes a stripe that nobody holds, else lets somebody wait for it.
  private func isFree(_ stripe: Stripe, orElse waiter: Waiter?) -> Bool {
    stripe.state.withLock { state in
      if state.isHeld {
        if let waiter { state.waiters.append(waiter) }
        return false
      }
      state.isHeld = true
      return true
    }
  }

  private func leave(_ stripe: Stripe) {
    // The gate passes straight to the next waiter, so that nobody overtakes it.
    while true {
      let next = stripe.state.withLock { state in
        let next = state.waiters.popFirst()
        if next == nil { state.isHeld = false }
        return next
      }
      guard let next, !next() else { return }
    }
  }
}
