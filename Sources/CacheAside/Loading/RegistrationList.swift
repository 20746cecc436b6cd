import Synchronization

/// The registrations of one key beside its flight, in no order.
///
/// Each knows where it lies, so that it is taken out in O(1), however many there are. Used by
/// `FlightStripe` only, under its lock.
struct RegistrationList: Sendable {
  private(set) var all: [Registration] = []

  init() {}

  init(_ registration: Registration) { append(registration) }

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.count }

  mutating func append(_ registration: Registration) {
    registration.index.store(all.count, ordering: .relaxed)
    all.append(registration)
  }

  /// Takes a registration out, if it is in this list.
  mutating func remove(_ registration: Registration) {
    WorkLog.count(.waiter)
    let index = registration.index.load(ordering: .relaxed)
    guard all.indices.contains(index), all[index] === registration else { return }
    let last = all.removeLast()
    guard index < all.count else { return }
    all[index] = last
    last.index.store(index, ordering: .relaxed)
  }
}
