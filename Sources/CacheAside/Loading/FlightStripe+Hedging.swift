// Several loads of one key: one in the background takes too long, and a caller who has to wait starts
// over. The first that answers is stored and answers the callers of all (a hedged request: Dean and
// Barroso, "The Tail at Scale", 2013); one that fails leaves the others alone. At most one of them can
// be joined, the newest.

extension FlightStripe {
  /// Takes a load that takes too long from its place; it may still be the first to answer.
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

  /// Takes a load out that has ended, and closes it.
  ///
  /// - Returns: the other loads of its key; none if this one was closed before.
  func end(_ flight: Flight<Output>, for key: HashedKey<Key>) -> [Flight<Output>] {
    guard !flight.registration.isHedged else { return removeHedged(flight.registration, key) }
    remove(flight.registration, for: key)
    return []
  }

  /// Takes one of several loads of a key out and closes it.
  ///
  /// - Returns: the other loads; none if this one was closed before.
  func removeHedged(
    _ registration: Registration,
    _ key: HashedKey<Key>
  ) -> [Flight<Output>] {
    let (loads, _) = withEntries { entries -> ([Flight<Output>], Displaced?) in
      let wasOpen = !registration.isSuperseded
      registration.supersede()
      guard let index = entries.index(forKey: key) else { return ([], nil) }
      var loads = entries.values[index].overdue
      if let flight = entries.values[index].flight { loads.append(flight) }
      guard loads.contains(where: { $0.registration === registration }) else { return ([], nil) }
      if entries.values[index].flight?.registration === registration {
        entries.values[index].flight = nil
      } else {
        entries.values[index].overdue.removeAll { $0.registration === registration }
      }
      let displaced = entries.values[index].isEmpty ? entries.remove(at: index) : nil
      return (wasOpen ? loads : [], displaced)
    }
    return loads.filter { $0.registration !== registration }
  }
}
