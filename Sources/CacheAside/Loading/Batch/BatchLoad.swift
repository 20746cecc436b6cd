// The keys that one batch loads together: each has its own flight in the table, so that single loads,
// other batches and invalidations meet it as they meet any other (F1, F4); the work behind the flights
// is one task that looks in the slower tiers, and one task a call of the producer. Boarding is the part
// of the caller; `run` is that of the work. A background batch has flights that nobody waits for.

import Synchronization

/// The load of several keys.
final class BatchLoad<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  let table: Cache<CacheKey, Value>
  let absences: Absences<Value>
  let request: BatchRequest<ID, Value>
  let terms: LoadTerms
  /// `.default` looks before it loads, `.reload` does not, `.bypass` neither shares nor stores.
  let mode: CacheMode
  let work: BatchWork
  /// The place of a background batch among the loads in the background.
  let permit: Permit?
  private let keys = Lock<[BatchKey<ID, Value>]>([])
  private let hasStarted = Atomic<Bool>(false)

  var core: FeatureCore { table.core }

  /// - Parameters:
  ///   - table: the table of the values.
  ///   - absences: where it is remembered what is absent.
  ///   - request: the function.
  ///   - terms: its terms.
  ///   - mode: whether it looks before it loads, and stores.
  ///   - permit: for a load that nobody waits for.
  init(
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ request: BatchRequest<ID, Value>,
    _ terms: LoadTerms,
    mode: CacheMode = .default,
    permit: Permit? = nil
  ) {
    self.table = table
    self.absences = absences
    self.request = request
    self.terms = terms
    self.mode = mode
    self.permit = permit
    let priority = permit == nil ? Task.currentPriority : .utility
    work = BatchWork(priority: priority) { permit?.release() }
  }

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
      flight.leave(slot)
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
      flight.leave(slot)
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
  ) -> (flight: Flight<Loaded<Value>>, slot: Int, joined: Bool) {
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
      own.flight.leave(slot)
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

  /// Starts the work, once there is any; it begins when no flights come any more.
  ///
  /// Called by whoever boarded, before it gives its reservation back.
  ///
  /// - Returns: whether this call started it.
  @discardableResult
  func start() -> Bool {
    guard keys.withLock({ !$0.isEmpty }),
      !hasStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return false }
    let priority = work.priority
    let ambient = permit == nil ? nil : Ambient.forBackground()
    let job = core.time.startTask(priority: priority, inheritsContext: permit == nil) { [self] in
      await work.begin()
      let keys = keys.withLock { keys in
        defer { keys = [] }
        return keys
      }
      startLimit(keys)
      guard let ambient else { return await run(keys) }
      await Ambient.with(ambient) { await run(keys) }
    }
    work.install(job, group: 0, priority: priority)
    return true
  }

  /// Starts the clock of the load: what has not ended by then is given up.
  private func startLimit(_ keys: [BatchKey<ID, Value>]) {
    let limit = terms.limits.abandon
    let nanoseconds = limit == .max && permit != nil ? LoadLimits.background : limit
    let deadline = Lifetime.sum(core.time.precise, nanoseconds)
    guard deadline != .max else { return }
    let timer = core.time.startTask(inheritsContext: false) {
      [table, terms, core, permit, time = core.time] in
      do { try await time.sleep(untilNanoseconds: deadline) } catch { return }
      for key in keys {
        key.flight.giveUp {
          if permit != nil { core.counters.refreshFailures.add() }
          let aged = key.refresh?.restingValue ?? table.agedInMemory(key.key, key.hash, terms)
          return table.givenUp(key.flight, key.key, key.hash, terms, aged)
        }
      }
    }
    work.install(timer: timer)
  }

  private func run(_ keys: [BatchKey<ID, Value>]) async {
    if mode == .reload { await core.lookAtLedgers() }
    var open: [BatchKey<ID, Value>] = []
    for var key in keys {
      guard work.isWanted(key.position) else {
        key.flight.complete(.failure(CancellationError()))
        continue
      }
      if mode == .default {
        key.aged = key.refresh?.restingValue ?? table.agedInMemory(key.key, key.hash, terms)
        if let aged = key.aged { key.flight.offer(aged.fallback(core)) }
      } else {
        key.slot.marks = core.loadMarks
      }
      open.append(key)
    }
    if mode == .default, core.hasTiers { open = await look(open) }
    if permit == nil { for _ in open { core.counters.misses.add() } }
    var start = open.startIndex
    while start < open.endIndex {
      let end = open.index(start, offsetBy: request.maximum, limitedBy: open.endIndex)
      produce(Array(open[start..<(end ?? open.endIndex)]))
      start = end ?? open.endIndex
    }
  }
}
