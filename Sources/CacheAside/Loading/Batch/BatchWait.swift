// One caller that waits for several flights: one suspension, one cancellation handler, one timer,
// however many they are. A cancelled caller leaves all of its flights at once.

import Synchronization

/// A caller's wait for several flights.
final class BatchWait<Output: Sendable>: Sendable {
  private struct State {
    var ends: [Waiter.End?]
    var open: Int
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let seats: [FlightSeat<Output>]
  private let state: Lock<State>

  init(_ seats: [FlightSeat<Output>]) {
    self.seats = seats
    state = Lock(State(ends: seats.map { _ in nil }, open: seats.count))
  }

  /// Waits until every flight has ended, or the caller's patience or the caller itself has.
  ///
  /// - Parameters:
  ///   - patience: until when it waits.
  ///   - time: the clock.
  /// - Returns: how the wait for each flight ended.
  nonisolated(nonsending) func run(_ patience: Patience?, _ time: TimeSource) async -> [Waiter.End]
  {
    guard !seats.isEmpty else { return [] }
    let timer = patience.map { patience in
      PatienceTimer(patience, time) { [seats] end in
        for seat in seats { seat.flight.release(seat.slot, end) }
      }
    }
    await withTaskCancellationHandler {
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        await withTaskPriorityEscalationHandler {
          await suspend()
        } onPriorityEscalated: { _, new in
          for seat in self.seats { seat.flight.escalate(to: new) }
        }
      } else {
        await suspend()
      }
    } onCancel: {
      for seat in seats { seat.flight.leave(seat.slot) }
    }
    timer?.cancel()
    return state.withLock { $0.ends.map { $0 ?? .left } }
  }

  private nonisolated(nonsending) func suspend() async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.continuation = continuation }
      for (index, seat) in seats.enumerated() {
        let waiter = Waiter.callback { [self] in ended(index, $0) }
        if let end = seat.flight.park(waiter, in: seat.slot) { ended(index, end) }
      }
    }
  }

  private func ended(_ index: Int, _ end: Waiter.End) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.ends[index] == nil else { return nil }
      state.ends[index] = end
      state.open -= 1
      return state.open == 0 ? state.continuation.take() : nil
    }
    continuation?.resume()
  }
}
