extension FlightTable {
  /// Joins the read of a key in the slower tiers that goes on, or begins one.
  ///
  /// Such a read is registered as a promotion is: whatever changes the key closes it, and who comes
  /// after the change begins another (F4).
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - anyAge: whether it finds what has expired, too.
  ///   - joinedAt: where the feature's invalidations stand.
  /// - Returns: the caller's seat; who has not joined reads, and completes the flight.
  func boardRead(
    _ key: Key,
    hash: UInt64,
    anyAge: Bool,
    joinedAt: UInt64
  ) -> FlightSeat<Output> {
    let key = HashedKey(key: key, hash: hash)
    let (stripe, priority) = (stripe(hash), Task.currentPriority)
    while true {
      let (flight, isNew) = stripe.enterRead(key, anyAge: anyAge) {
        Flight(
          registration: Registration(),
          whenUnobserved: .finish,
          priority: priority,
          time: time,
          counters: readCounters
        ) { stripe.remove($0.registration, for: key) }
      }
      if isNew { note(key.key) }
      let slot = isNew ? flight.leaderSlot : flight.join(priority: priority)
      if let slot {
        return FlightSeat(flight: flight, slot: slot, joined: !isNew, joinedAt: joinedAt)
      }
      stripe.remove(flight.registration, for: key)
    }
  }
}
