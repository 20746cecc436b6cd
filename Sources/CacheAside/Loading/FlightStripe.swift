// One sixteenth of a flight table: what is registered for its keys, under one lock.
//
// Only open registrations stand here: closing one takes it out, so a removed key leaves nothing
// behind. Keys are compared by the caller's 64-bit hash first, and that hash is all that the
// dictionary hashes: `hash(into:)` of a user's key never runs under the lock. Whatever leaves the
// dictionary is handed to the caller and released after unlocking.

import Synchronization

/// What is registered for some of a table's keys.
final class FlightStripe<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  /// What is registered for one key.
  struct Entry: Sendable {
    var flight: Flight<Output>?
    /// Loads that took too long and gave their key to a newer one; the first that answers is stored.
    var overdue: [Flight<Output>] = []
    /// Reads of the slower tiers that others can join.
    var reads: [Read] = []
    var others = RegistrationList()

    /// Whether nothing is registered.
    var isEmpty: Bool {
      flight == nil && overdue.isEmpty && reads.isEmpty && others.isEmpty
    }

    /// How many registrations there are.
    var count: Int { others.count + reads.count + overdue.count + (flight == nil ? 0 : 1) }

    /// Takes something out.
    ///
    /// - Returns: its flight, to be released outside the lock.
    mutating func remove(_ registration: Registration) -> Flight<Output>? {
      if let flight, flight.registration === registration {
        self.flight = nil
        return flight
      }
      if let index = overdue.firstIndex(where: { $0.registration === registration }) {
        return overdue.remove(at: index)
      }
      if let index = reads.firstIndex(where: { $0.flight.registration === registration }) {
        return reads.remove(at: index).flight
      }
      others.remove(registration)
      return nil
    }

    /// Closes all of them.
    func supersede() {
      flight?.registration.supersede()
      for load in overdue { load.registration.supersede() }
      for read in reads { read.flight.registration.supersede() }
      for other in others.all { other.supersede() }
    }
  }

  /// A read of the slower tiers.
  struct Read: Sendable {
    let flight: Flight<Output>
    /// Whether it finds what has expired, too.
    let anyAge: Bool
  }

  typealias Entries = [HashedKey<Key>: Entry]
  typealias Displaced = Entries.Element

  private let entries = Lock<Entries>([:])
  private let gate: StripeGate

  /// Makes an empty stripe.
  ///
  /// - Parameter gate: its outer lock.
  init(gate: StripeGate) { self.gate = gate }

  func withEntries<Result: Sendable>(_ body: (inout Entries) -> Result) -> Result {
    gate.registered.withLock { count in
      entries.withLock { entries in
        let before = entries.count
        defer { count += entries.count - before }
        return body(&entries)
      }
    }
  }

  /// Finds the joinable flight of a key or registers a new one.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - supersedes: whether the loads and promotions are closed first. An explicit write that goes
  ///     on stays: once it has returned, its value must not give way to a load that may still fail.
  ///   - make: makes a flight, under the lock.
  /// - Returns: the flight, and whether it is new.
  func enter(
    _ key: HashedKey<Key>,
    supersedes: Bool,
    make: () -> Flight<Output>
  ) -> (flight: Flight<Output>, isNew: Bool) {
    let (flight, isNew, displaced) = withEntries {
      entries -> (Flight<Output>, Bool, Displaced?) in
      if !supersedes, let flight = entries[key]?.flight { return (flight, false, nil) }
      let displaced = supersedes ? Self.closeReaders(key, but: nil, in: &entries) : nil
      let flight = make()
      entries[key, default: Entry()].set(flight)
      return (flight, true, displaced)
    }
    _ = displaced
    return (flight, isNew)
  }

  /// Registers a new flight for a key that has none.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - isStale: whether the flight would bring something old; asked under the lock.
  ///   - make: makes a flight, under the lock.
  /// - Returns: the flight, if there is one.
  func enterAlone(
    _ key: HashedKey<Key>,
    unless isStale: () -> Bool,
    make: () -> Flight<Output>
  ) -> Flight<Output>? {
    withEntries { entries in
      guard entries[key]?.flight == nil, !isStale() else { return nil }
      let flight = make()
      entries[key, default: Entry()].set(flight)
      return flight
    }
  }

  /// Puts a new flight in the place of one that goes on without its key.
  ///
  /// - Parameters:
  ///   - old: the flight that gives its key up.
  ///   - key: the key.
  ///   - make: makes a flight, under the lock.
  /// - Returns: the new flight; `nil` if the old one has no key any more.
  func replace(
    _ old: Flight<Output>,
    _ key: HashedKey<Key>,
    make: () -> Flight<Output>
  ) -> Flight<Output>? {
    withEntries { entries in
      guard entries[key]?.flight === old else { return nil }
      old.registration.supersede()
      let flight = make()
      entries[key]?.set(flight)
      return flight
    }
  }

  /// Closes everything registered for a key and, if asked, registers something anew.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - successor: what is registered instead.
  func supersede(_ key: HashedKey<Key>, successor: Registration? = nil) {
    let displaced = withEntries { entries -> Displaced? in
      let displaced = Self.close(key, in: &entries)
      if let successor { entries[key] = Entry(others: RegistrationList(successor)) }
      return displaced
    }
    _ = displaced
  }

  /// Closes the loads and promotions of a key, and no explicit write.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - kept: one that stays open.
  func closeReaders(_ key: HashedKey<Key>, but kept: Registration? = nil) {
    let displaced = withEntries { Self.closeReaders(key, but: kept, in: &$0) }
    _ = displaced
  }

  static func closeReaders(
    _ key: HashedKey<Key>,
    but kept: Registration?,
    in entries: inout Entries
  ) -> Displaced? {
    guard let index = entries.index(forKey: key) else { return nil }
    let old = entries[index]
    var rest = Entry()
    if let flight = old.value.flight {
      if flight.registration === kept {
        rest.flight = flight
      } else {
        flight.registration.supersede()
      }
    }
    if !old.value.overdue.isEmpty { rest.keepLoads(of: old.value, beside: kept) }
    for read in old.value.reads {
      if read.flight.registration === kept {
        rest.reads.append(read)
      } else {
        read.flight.registration.supersede()
      }
    }
    for other in old.value.others.all {
      if other.isWriter || other === kept { rest.others.append(other) } else { other.supersede() }
    }
    if rest.isEmpty { entries.remove(at: index) } else { entries.values[index] = rest }
    return old
  }

  /// Closes everything registered for any key.
  ///
  /// O(n) in the registrations.
  func supersedeAll() {
    let displaced = withEntries { entries -> Entries in
      for entry in entries.values { entry.supersede() }
      let displaced = entries
      entries = [:]
      return displaced
    }
    _ = displaced
  }

  /// Registers something beside what is registered already.
  ///
  /// - Parameters:
  ///   - registration: what may store later.
  ///   - key: its key.
  func add(_ registration: Registration, for key: HashedKey<Key>) {
    withEntries { $0[key, default: Entry()].others.append(registration) }
  }

  /// Takes a flight or another registration out, by identity, and closes it.
  ///
  /// - Parameters:
  ///   - registration: what to take out; without effect if it is out already.
  ///   - key: its key.
  /// - Returns: the loads that it has closed by its answer (``claim(_:_:)``).
  @discardableResult
  func remove(_ registration: Registration, for key: HashedKey<Key>) -> [Flight<Output>] {
    let (displaced, _, loads) = withEntries {
      entries -> (Displaced?, Flight<Output>?, [Flight<Output>]) in
      let wasOpen = !registration.isSuperseded
      // What is closed has been taken out, but for loads that another's answer has closed.
      guard wasOpen || registration.isHedged else { return (nil, nil, []) }
      registration.supersede()
      guard let index = entries.index(forKey: key) else { return (nil, nil, []) }
      let flight = entries.values[index].remove(registration)
      let loads =
        registration.isHedged && wasOpen
        ? entries.values[index].loads.filter(\.registration.isSuperseded) : []
      return (entries.values[index].isEmpty ? entries.remove(at: index) : nil, flight, loads)
    }
    _ = displaced
    return loads
  }

  /// Runs a function under the lock if a registration is still open.
  ///
  /// - Parameters:
  ///   - registration: what wants to store.
  ///   - key: its key.
  ///   - isChange: whether every other load and promotion of the key is closed.
  ///   - body: stores; it must not run a user's code.
  /// - Returns: what the function returned, or `nil` if the registration is closed.
  func commit<Stored: Sendable>(
    _ registration: Registration,
    _ key: HashedKey<Key>,
    isChange: Bool,
    _ body: () -> Stored
  ) -> Stored? {
    let (stored, displaced) = withEntries { entries -> (Stored?, Displaced?) in
      if registration.isSuperseded { return (nil, nil) }
      let stored = body()
      registration.commit()
      guard isChange else { return (stored, nil) }
      return (stored, Self.closeReaders(key, but: registration, in: &entries))
    }
    _ = displaced
    return stored
  }

  /// The joinable flight of a key.
  func flight(_ key: HashedKey<Key>) -> Flight<Output>? { withEntries { $0[key]?.flight } }

  /// Whether something is registered for a key.
  func holds(_ key: HashedKey<Key>) -> Bool { withEntries { $0.index(forKey: key) != nil } }

  /// The keys with something registered.
  var keys: [HashedKey<Key>] { withEntries { Array($0.keys) } }

  /// The loads, those that are overdue included.
  var flights: [Flight<Output>] { withEntries { $0.values.flatMap(\.loads) } }

  /// How many registrations there are.
  var registrationCount: Int { withEntries { $0.values.reduce(0) { $0 + $1.count } } }

  static func close(_ key: HashedKey<Key>, in entries: inout Entries) -> Displaced? {
    guard let index = entries.index(forKey: key) else { return nil }
    entries.values[index].supersede()
    return entries.remove(at: index)
  }
}
