/// Who waits for a flight: a suspended task or a completion handler.
///
/// `@safe`: the flight's state machine hands each waiter out exactly once, so that the unsafe
/// continuation is resumed exactly once.
@safe
enum Waiter: Sendable {
  case suspended(UnsafeContinuation<Waiter.End, Never>)
  indirect case callback(@Sendable () -> Void)

  /// How a wait ended.
  enum End: Sendable {
    /// The flight has a result; the waiter reads it.
    case ended
    /// The waiter was cancelled.
    case left
  }

  /// Ends the wait.
  ///
  /// Called outside every lock.
  ///
  /// - Parameter end: how it ended; a callback is only ever ended by a result.
  func resume(_ end: End) {
    switch self {
    case .suspended(let continuation): unsafe continuation.resume(returning: end)
    case .callback(let call): call()
    }
  }
}
