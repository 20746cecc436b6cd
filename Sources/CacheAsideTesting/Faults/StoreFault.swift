/// What goes wrong in a ``FaultInjectingStore``.
public struct StoreFault: Sendable {
  enum Effect: Sendable {
    case fail(any Error)
    case failAfterwards(any Error)
    case delay(Gate)
    case lose
    case tear
    case garble
  }

  let effect: Effect

  /// The call throws, and nothing is done.
  ///
  /// - Parameter error: what it throws.
  /// - Returns: the fault.
  public static func fail(_ error: any Error) -> StoreFault { StoreFault(effect: .fail(error)) }

  /// The call does its work and throws all the same, as when an answer is lost on the way.
  ///
  /// - Parameter error: what it throws.
  /// - Returns: the fault.
  public static func failAfterwards(_ error: any Error) -> StoreFault {
    StoreFault(effect: .failAfterwards(error))
  }

  /// The call waits at a gate before it does anything else; cancellation does not end the wait.
  ///
  /// - Parameter gate: where it waits.
  /// - Returns: the fault.
  public static func delay(_ gate: Gate) -> StoreFault { StoreFault(effect: .delay(gate)) }

  /// The call does nothing and reports success: a write or removal is lost, a read finds nothing.
  public static let lose = StoreFault(effect: .lose)

  /// The entry that is written or read has only the first half of its payload.
  public static let tear = StoreFault(effect: .tear)

  /// The entry that is written or read has other bytes of the same length in its payload.
  public static let garble = StoreFault(effect: .garble)
}
