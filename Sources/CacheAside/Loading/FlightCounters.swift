import Synchronization

/// How many flights and waiters a flight table has, joinable or not.
final class FlightCounters: Sendable {
  private let flightCount = Atomic<Int>(0)
  private let waiterCount = Atomic<Int>(0)

  /// Flights whose work has not ended, those that were superseded or given up included.
  var flights: Int { flightCount.load(ordering: .acquiring) }

  /// Callers that wait for a flight or are about to.
  var waiters: Int { waiterCount.load(ordering: .acquiring) }

  /// Counts flights that began or, if negative, ended.
  func addFlights(_ change: Int) {
    flightCount.wrappingAdd(change, ordering: .acquiringAndReleasing)
  }

  /// Counts waiters that came or, if negative, went.
  func addWaiters(_ change: Int) {
    waiterCount.wrappingAdd(change, ordering: .acquiringAndReleasing)
  }
}
