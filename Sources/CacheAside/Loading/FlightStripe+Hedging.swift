// Several loads of one key: one in the background takes too long, and a caller who has to wait starts
// over. The first that answers is stored and answers the callers of all (a hedged request: Dean and
// Barroso, "The Tail at Scale", 2013); one that fails leaves the others alone. At most one of them can
// be joined, the newest.

extension FlightStripe {
  /// Lets a key be loaded anew beside a load that takes too long, and may still be the first to answer.
  func setOverdue(_ flight: Flight<Output>, _ key: HashedKey<Key>) {
    withEntries { entries in
      guard let index = entries.index(forKey: key), entries.values[index].flight === flight else {
        return
      }
      flight.registration.hedge()
      entries.values[index].flight = nil
      entries.values[index].overdue.append(flight)
    }
  }

  /// Notes that a load has its answer: the other loads of its key store nothing from now on, so that
  /// no older answer is stored over it.
  func claim(_ registration: Registration, _ key: HashedKey<Key>) {
    let displaced = withEntries { entries in
      registration.isSuperseded ? nil : Self.closeReaders(key, but: registration, in: &entries)
    }
    _ = displaced
  }
}

extension FlightStripe.Entry {
  /// Its loads, the newest last.
  var loads: [Flight<Output>] { overdue + (flight.map { [$0] } ?? []) }

  /// Whether one of its loads is such.
  func hasLoad(where isSuch: (Registration) -> Bool) -> Bool {
    if let flight, isSuch(flight.registration) { return true }
    return overdue.contains { isSuch($0.registration) }
  }

  /// Takes a load in, beside those that are overdue.
  mutating func set(_ flight: Flight<Output>) {
    if !overdue.isEmpty { flight.registration.hedge() }
    self.flight = flight
  }

  /// Closes the overdue loads but one.
  ///
  /// If that is a load, the others stay, closed: its answer will be theirs (``FlightStripe/remove(_:for:)``).
  mutating func keepLoads(of old: Self, beside kept: Registration?) {
    let isLoad = old.hasLoad { $0 === kept }
    for load in old.overdue {
      if load.registration !== kept { load.registration.supersede() }
      if isLoad { overdue.append(load) }
    }
    if isLoad, flight == nil, let flight = old.flight { overdue.append(flight) }
  }
}
