// How a batch's caller comes to the flights of its keys: it joins those that are there and makes the
// others, whose work is this load's.

import Synchronization

extension BatchLoad {
  /// Joins the key's flight or makes one of this load; the caller has a reservation of its work.
  func board(_ ask: BatchAsk<ID>) -> BatchBoarding<ID, Value> {
    let joinedAt = core.stamps.now
    var place: BatchPlace?
    let (flight, slot, joined) = enter(ask) { [work] in
      place = work.enter()
      return place
    }
    let seat = FlightSeat(flight: flight, slot: slot, joined: joined)
    if joined, let loaded = flight.fallback(.revalidating) {
      flight.withdraw(slot)
      if core.readsTiersOnly { return .beside(BatchBeside(ask: ask, flight: flight)) }
      (loaded.isFresh ? core.counters.storeHits : core.counters.staleServed).add()
      return .answered(.answer(table.answered(ask.note, loaded).value))
    }
    if !joined, mode == .default {
      // The flight before may have stored in between.
      if let late = table.lateHit(ask.key, ask.hash) {
        flight.complete(.success(late))
        return .answered(.answer(table.answered(ask.note, late).value))
      }
      if absences.hold(ask.key) {
        flight.complete(.failure(AbsentKey()))
        return .answered(table.endAbsent(ask.note, .memory))
      }
    }
    guard seat.enterGraph() else {
      flight.withdraw(slot)
      if joined { core.counters.coalesced.add() }
      return .answered(table.endFailed(ask.note, CacheError.recursiveLoad(of: ask.key)))
    }
    ask.note?.boards(joined: joined)
    if let place { add(ask, flight, place, begun: joinedAt) }
    return .boarded(BatchSeat(ask: ask, seat: seat, joinedAt: joinedAt))
  }

  private func enter(
    _ ask: BatchAsk<ID>,
    _ place: () -> BatchPlace?
  ) -> (flight: Flight<Loaded<Value>>, slot: WaiterSlot, joined: Bool) {
    let whenUnobserved = terms.fields.whenUnobserved ?? .cancel
    if mode == .bypass {
      let flight = table.flights.makeUnregistered(
        whenUnobserved: whenUnobserved,
        priority: Task.currentPriority,
        place: place()
      )
      return (flight, flight.leaderSlot, false)
    }
    return table.flights.enter(
      HashedKey(key: ask.key, hash: ask.hash),
      supersedes: mode == .reload,
      whenUnobserved: whenUnobserved,
      priority: Task.currentPriority,
      place: place
    )
  }

  /// Joins a flight of this load that has not begun yet, as a reload may; the caller has a reservation.
  func joinOwn(_ ask: BatchAsk<ID>) -> BatchSeat<ID, Value>? {
    let joinedAt = core.stamps.now
    let own = keys.withLock { $0.last { $0.hash == ask.hash && $0.key == ask.key } }
    guard let own, let slot = own.flight.join(priority: Task.currentPriority) else { return nil }
    let seat = FlightSeat(flight: own.flight, slot: slot, joined: true)
    guard seat.enterGraph() else {
      own.flight.withdraw(slot)
      return nil
    }
    ask.note?.boards(joined: true)
    return BatchSeat(ask: ask, seat: seat, joinedAt: joinedAt)
  }

  /// Makes a flight that nobody waits for, unless another is there than the one it replaces.
  func boardBehind(
    _ ask: BatchAsk<ID>,
    _ refresh: Refresh<Value>,
    replacing old: Flight<Loaded<Value>>? = nil
  ) {
    let begun = core.stamps.now
    var place: BatchPlace?
    let flight = table.flights.enterAlone(
      ask.key,
      hash: ask.hash,
      replacing: old,
      priority: .utility,
      place: { [work] in
        place = work.enter()
        return place
      }
    )
    guard let flight, let place else { return }
    if let aged = refresh.restingValue { flight.offer(aged.fallback(core)) }
    ask.note.running { table.noteRefresh(refresh, true) }
    add(ask, flight, place, refresh, begun: begun)
  }

  private func add(
    _ ask: BatchAsk<ID>,
    _ flight: Flight<Loaded<Value>>,
    _ place: BatchPlace,
    _ refresh: Refresh<Value>? = nil,
    begun: UInt64
  ) {
    let key = BatchKey<ID, Value>(
      ask: ask,
      flight: flight,
      position: place.position,
      slot: Slot(
        key: ask.key,
        hash: ask.hash,
        storeKey: core.hasTiers ? table.storeKey(ask.key) : nil,
        registration: flight.registration,
        begun: min(begun, flight.registration.begin(terms, core.stamps)),
        marks: core.loadMarks
      ),
      refresh: refresh
    )
    keys.withLock { $0.append(key) }
  }
}
