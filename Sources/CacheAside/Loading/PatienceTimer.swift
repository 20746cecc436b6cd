/// The patience of a caller in its flights.
///
/// In another flight, when it has to look again, it is the same patience: it counts from the call.
final class PatienceTimer: Sendable {
  let patience: Patience
  private let soft: Deadline?
  private let hard: Deadline?

  /// Starts the clock of a caller's patience.
  ///
  /// - Parameters:
  ///   - patience: until when it waits.
  ///   - time: the clock.
  ///   - release: ends its waits; it may run a user's code.
  init(
    _ patience: Patience,
    _ time: TimeSource,
    _ release: @escaping @Sendable (Waiter.End) -> Void
  ) {
    self.patience = patience
    soft = patience.soft == .max ? nil : time.call(at: patience.soft) { release(.settled) }
    hard = patience.hard == .max ? nil : time.call(at: patience.hard) { release(.timedOut) }
  }

  /// The patience of a caller that is in no flight yet: what it does first counts, too.
  ///
  /// - Parameters:
  ///   - limits: for how long it waits.
  ///   - time: the clock.
  /// - Returns: `nil` if it is without end.
  static func counting(_ limits: LoadLimits, _ time: TimeSource) -> PatienceTimer? {
    Patience(limits, time).map { PatienceTimer($0) }
  }

  private init(_ patience: Patience) {
    self.patience = patience
    (soft, hard) = (nil, nil)
  }

  /// Starts the clock of a caller's patience in one flight.
  ///
  /// - Parameters:
  ///   - patience: until when it waits.
  ///   - seat: its place.
  convenience init<Output>(_ patience: Patience, in seat: FlightSeat<Output>) {
    self.init(patience, seat.flight.time) { seat.flight.release(seat.slot, $0) }
  }

  /// Stops the clock: the wait is over.
  func cancel() {
    soft?.cancel()
    hard?.cancel()
  }
}
