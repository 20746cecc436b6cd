/// The patience of a caller in its flight.
///
/// In another flight, when it has to look again, it is the same patience: it counts from the call.
final class PatienceTimer: Sendable {
  let patience: Patience
  private let timer: Task<Void, Never>

  /// Starts the clock of a caller's patience.
  ///
  /// - Parameters:
  ///   - patience: until when it waits.
  ///   - seat: its place.
  init<Output>(_ patience: Patience, in seat: FlightSeat<Output>) {
    self.patience = patience
    timer = seat.flight.startPatience(seat.slot, patience)
  }

  /// Stops the clock: the wait is over.
  func cancel() { timer.cancel() }
}
