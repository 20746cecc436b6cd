// Single-flight: at most one joinable run per key, shared by everybody who asks meanwhile.
//
// A caller looks for the key's flight in its stripe and joins it, or registers a new one, looks
// into the memory table once more (the flight before may have stored in between) and starts the
// work in a task of its own. Whatever may store later registers here, and what invalidates closes
// the registrations: a closed one never stores over something newer. Callers are `Cache`, whose table
// it is, and what its batches consist of: `BatchLoad` and `Absences`. A call by callback in a closed
// cache has a table for itself. Waits of producers for other flights go through `WaitGraph` first.
//
// A stripe has two locks, that of its `StripeGate` outside, which a write in one step (`setAtOnce`) takes
// alone. Under them are taken those of `WriteBarriers`, of `FailureRests`, of a shard of memory or of the
// remembered errors, of `InvalidationStamps`, which is taken under a shard's, too, and for batches those
// of `ChangeWatches` and `BatchWork`; none of these but the shard's has another under it. The lock of a
// flight is not among them.

import Synchronization

/// The loads that are going on, and everything else that may store later, by key.
final class FlightTable<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  typealias Stripe = FlightStripe<Key, Output>

  let time: TimeSource
  /// How errors name a key.
  let naming: @Sendable (Key) -> CacheKey?
  /// Told of a load in the background whose key was given to a newer one.
  let onOverdue: @Sendable (Key) -> Void
  private let counters = FlightCounters()
  /// Counts reads, which are no loads.
  let readCounters = FlightCounters()
  /// How long loads take, so that one in the background is known to hang.
  let loadTimes = LoadTimes()
  let stripes: [Stripe]
  /// The outer locks of the stripes.
  let gates: [StripeGate]
  /// What the keys print as, where that is looked up; whoever registers one notes it there.
  let index = AtomicLazyReference<KeyIndex<Key>>()
  /// Those who want to know which keys change meanwhile.
  let watches = ChangeWatches()

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - time: where its tasks and timers come from.
  ///   - naming: how errors name a key.
  ///   - onOverdue: told of a load in the background whose key was given to a newer one; called outside
  ///     all locks.
  init(
    time: TimeSource,
    naming: @escaping @Sendable (Key) -> CacheKey? = { $0 as? CacheKey },
    onOverdue: @escaping @Sendable (Key) -> Void = { _ in }
  ) {
    self.time = time
    self.naming = naming
    self.onOverdue = onOverdue
    gates = (0..<16).map { _ in StripeGate() }
    stripes = gates.map(Stripe.init)
  }

  /// Flights whose work has not ended, those that cannot be joined any more included.
  var flightCount: Int { counters.flights }

  /// Callers that wait for a flight or are about to.
  var waiterCount: Int { counters.waiters }

  /// Open registrations: joinable flights, promotions and explicit writes.
  var registrationCount: Int { stripes.reduce(0) { $0 + $1.registrationCount } }

  /// The stripe of a hash.
  ///
  /// - Parameter hash: a key's hash.
  /// - Returns: the stripe.
  func stripe(_ hash: UInt64) -> Stripe { stripes[StripeGate.index(hash)] }

  /// Joins the key's flight or registers a new one.
  ///
  /// - Parameters:
  ///   - key: the key with its hash.
  ///   - supersedes: whether loads and promotions are closed first, so that the flight is new.
  ///   - whenUnobserved: what happens to a new flight when its last waiter leaves.
  ///   - priority: the caller's priority.
  ///   - place: gives a new flight its place in shared work; called under the stripe's lock.
  /// - Returns: the flight, the caller's slot in it, and whether somebody else leads it.
  func enter(
    _ key: HashedKey<Key>,
    supersedes: Bool,
    whenUnobserved: WhenUnobserved,
    priority: TaskPriority,
    place: () -> BatchPlace? = { nil }
  ) -> (flight: Flight<Output>, slot: WaiterSlot, joined: Bool) {
    if supersedes { watches.note(key.hash) }
    let stripe = stripe(key.hash)
    while true {
      let (flight, isNew) = stripe.enter(key, supersedes: supersedes) {
        makeFlight(whenUnobserved, priority, place: place()) {
          stripe.remove($0.registration, for: key)
        }
      }
      if isNew {
        note(key.key)
        return (flight, flight.leaderSlot, false)
      }
      guard let slot = flight.join(priority: priority) else {
        stripe.remove(flight.registration, for: key)
        continue
      }
      guard isOverdue(flight) else { return (flight, slot, true) }
      flight.leave(slot)
      stripe.setOverdue(flight, key)
      giveUpOverdue(flight, key.key)
    }
  }

  /// Whether whoever waits for the key is better off with a new load than with one in the background.
  ///
  /// It has taken longer than loads here took lately, and a second, and nothing can be had meanwhile.
  private func isOverdue(_ flight: Flight<Output>) -> Bool {
    guard flight.backgroundSince != .max else { return false }
    let age = time.precise &- flight.backgroundSince
    return age > max(loadTimes.longest, 1_000_000_000) && flight.fallback(.revalidating) == nil
  }

  /// Ends a load in the background that has given its place up, unless somebody waits for it.
  private func giveUpOverdue(_ flight: Flight<Output>, _ key: Key) {
    // A callback cannot be cancelled; its own limit ends it.
    guard flight.isCancellable else { return }
    flight.giveUp(ifUnobserved: true) {
      onOverdue(key)
      return .failure(CancellationError())
    }
  }

  /// Notes a key that something was registered for, before anything is read or stored for it.
  func note(_ key: Key) { index.load()?.note(key) }

  /// Makes a flight that stands in no stripe and never stores.
  ///
  /// - Parameters:
  ///   - whenUnobserved: what happens when its only waiter leaves.
  ///   - priority: the caller's priority.
  ///   - place: its place in work that it shares with others.
  /// - Returns: the flight.
  func makeUnregistered(
    whenUnobserved: WhenUnobserved,
    priority: TaskPriority,
    place: BatchPlace? = nil
  ) -> Flight<Output> {
    makeFlight(whenUnobserved, priority, isSuperseded: true, place: place) { _ in [] }
  }

  func makeFlight(
    _ whenUnobserved: WhenUnobserved,
    _ priority: TaskPriority,
    isSuperseded: Bool = false,
    backgroundSince: Int64 = .max,
    place: BatchPlace? = nil,
    unlink: @escaping @Sendable (Flight<Output>) -> [Flight<Output>]
  ) -> Flight<Output> {
    Flight(
      registration: Registration(isSuperseded: isSuperseded),
      whenUnobserved: whenUnobserved,
      priority: priority,
      time: time,
      counters: counters,
      backgroundSince: backgroundSince,
      place: place,
      unlink: unlink
    )
  }
}
