/// Who waits for a flight: a suspended task or a completion handler.
///
/// `@safe`: the flight's state machine hands each waiter out exactly once, so that the unsafe
/// continuation is resumed exactly once.
@safe
enum Waiter: Sendable {
  case suspended(UnsafeContinuation<Waiter.End, Never>)
  indirect case callback(@Sendable (Waiter.End) -> Void)

  /// How a wait ended.
  enum End: Sendable {
    /// The flight has a result; the waiter reads it.
    case ended
    /// The waiter was cancelled.
    case left
    /// The waiter has waited long enough to take something older, which the flight has.
    case settled
    /// The waiter has waited as long as it would.
    case timedOut
  }

  /// Ends the wait.
  ///
  /// Called outside every lock.
  ///
  /// - Parameter end: how it ended; a callback never leaves.
  func resume(_ end: End) {
    switch self {
    case .suspended(let continuation): unsafe continuation.resume(returning: end)
    case .callback(let call): call(end)
    }
  }
}
