/// One caller's place in a flight, and whom its waiting would hold up.
///
/// An object, so that the frames of a caller that waits, and the closures of its wait, hold one word
/// for it: see `FlightSeat+Waiting.swift`.
final class FlightSeat<Output: Sendable>: Sendable {
  /// The flight.
  let flight: Flight<Output>

  /// The slot that the caller reserved.
  let slot: WaiterSlot

  /// Whether somebody else leads the flight.
  let joined: Bool

  /// Where the feature's invalidations stood when the caller came.
  let joinedAt: UInt64

  /// The flight whose producer the caller belongs to, if any.
  private let source = FlightScope.waitSource

  /// Makes a seat.
  ///
  /// - Parameters:
  ///   - flight: the flight.
  ///   - slot: the slot that the caller reserved.
  ///   - joined: whether somebody else leads the flight.
  ///   - joinedAt: where the feature's invalidations stood when the caller came.
  init(flight: Flight<Output>, slot: WaiterSlot, joined: Bool, joinedAt: UInt64 = 0) {
    self.flight = flight
    self.slot = slot
    self.joined = joined
    self.joinedAt = joinedAt
  }

  /// Notes that the caller is about to wait.
  ///
  /// - Returns: whether it may; `false` if the wait could never end.
  func enterGraph() -> Bool {
    guard let source else { return true }
    return WaitGraph.shared.add(from: source, to: flight.registration)
  }

  /// Notes that the wait has ended.
  func leaveGraph() {
    if let source { WaitGraph.shared.remove(from: source, to: flight.registration) }
  }

  /// What the caller gets.
  ///
  /// - Parameter end: how its wait ended.
  /// - Returns: the flight's output, or what it has instead for a caller that waits no longer.
  /// - Throws: the flight's error, `CancellationError` if the caller left, `CacheError` with the code
  ///   `timedOut`.
  func output(after end: Waiter.End) throws -> Output {
    switch end {
    case .ended: return try flight.result.get()
    case .left: throw CancellationError()
    case .settled:
      if let output = flight.takeSettled(slot) { return output }
      fallthrough
    case .timedOut:
      throw CacheError(
        .timedOut,
        "the load took longer than the caller's hardTimeout; it goes on, and its value is stored"
      )
    }
  }

  /// Runs a completion as the code of the caller it belongs to, whoever ends the flight.
  ///
  /// - Parameter body: the completion.
  func asCaller(_ body: () -> Void) {
    FlightScope.$current.withValue(source, operation: body)
  }
}
