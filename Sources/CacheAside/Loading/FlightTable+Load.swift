extension FlightTable {
  /// The work of a flight: looks in slower tiers, asks the producer, stores.
  typealias Run = @concurrent @Sendable (Flight<Output>) async throws -> Output

  // What comes before the wait is synchronous, so that its temporaries do not live in the frames
  // of suspended callers.

  /// Takes a seat in the key's flight and, as its leader, starts the work.
  ///
  /// The caller then waits in the seat's slot and leaves the graph of waits.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - whenUnobserved: what happens to a new flight when its last waiter leaves.
  ///   - joinedAt: where the feature's invalidations stand.
  ///   - supersede: whether the loads and promotions of the key are closed and a new flight started.
  ///   - limit: how long a new flight may take; `nil` as long as its work does.
  ///   - probe: looks in memory once a new flight is registered; what it finds ends the flight.
  ///   - run: the work, in one task that sees the caller's task-locals; made for a leader only.
  /// - Returns: the seat.
  /// - Throws: `CancellationError` for a cancelled caller; ``CacheError/Code/recursiveLoad``.
  func board(
    _ key: Key,
    hash: UInt64,
    whenUnobserved: WhenUnobserved,
    joinedAt: UInt64 = 0,
    supersede: Bool,
    limit: @autoclosure () -> FlightLimit<Output>? = nil,
    probe: () -> Output?,
    run: @autoclosure () -> Run
  ) throws -> FlightSeat<Output> {
    try Task.checkCancellation()
    let priority = Task.currentPriority
    let (flight, slot, joined) = enter(
      HashedKey(key: key, hash: hash),
      supersedes: supersede,
      whenUnobserved: whenUnobserved,
      priority: priority
    )
    let seat = FlightSeat(flight: flight, slot: slot, joined: joined, joinedAt: joinedAt)
    if !joined, let output = probe() {
      flight.complete(.success(output))
      return seat
    }
    guard seat.enterGraph() else {
      flight.withdraw(slot)
      throw CacheError.recursiveLoad(of: naming(key))
    }
    if !joined { start(flight, priority: priority, limit: limit(), run: run()) }
    return seat
  }

  /// Starts a flight that nobody waits for, unless another is there than the one it replaces.
  ///
  /// It goes on whoever joins and leaves, and sees none of the caller's task-locals but those that
  /// the work binds itself.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - old: a flight that gives its key up for it.
  ///   - limit: how long it may take.
  ///   - fallback: what its joiners can have at once.
  ///   - run: the work.
  /// - Returns: whether it was started.
  @discardableResult
  func startBackground(
    _ key: Key,
    hash: UInt64,
    replacing old: Flight<Output>? = nil,
    limit: FlightLimit<Output>?,
    fallback: Flight<Output>.Fallback?,
    run: @escaping Run
  ) -> Bool {
    guard let flight = enterAlone(key, hash: hash, replacing: old, priority: .utility) else {
      return false
    }
    if let fallback { flight.offer(fallback) }
    start(flight, priority: .utility, inheritsContext: false, limit: limit, run: run)
    return true
  }

  /// Registers a flight that nobody waits for; `nil` if the key has one, or it would be stale.
  func enterAlone(
    _ key: Key,
    hash: UInt64,
    replacing old: Flight<Output>? = nil,
    priority: TaskPriority,
    unless isStale: () -> Bool = { false },
    place: () -> BatchPlace? = { nil }
  ) -> Flight<Output>? {
    let key = HashedKey(key: key, hash: hash)
    let stripe = stripe(hash)
    let now = time.precise
    let make = { [self] in
      makeFlight(.finish, priority, backgroundSince: now, place: place()) {
        stripe.remove($0.registration, for: key)
      }
    }
    let flight: Flight<Output>
    if let old {
      guard let replaced = stripe.replace(old, key, make: make) else { return nil }
      flight = replaced
    } else {
      guard let entered = stripe.enterAlone(key, unless: isStale, make: make) else { return nil }
      flight = entered
    }
    note(key.key)
    // Its leader counts as one who wants the result and waits for nothing.
    flight.release(flight.leaderSlot, .timedOut)
    return flight
  }

  func boardUnregistered(
    whenUnobserved: WhenUnobserved,
    limit: FlightLimit<Output>?,
    run: @escaping Run
  ) throws -> FlightSeat<Output> {
    try Task.checkCancellation()
    let priority = Task.currentPriority
    let flight = makeUnregistered(whenUnobserved: whenUnobserved, priority: priority)
    let seat = FlightSeat(flight: flight, slot: flight.leaderSlot, joined: false)
    _ = seat.enterGraph()
    start(flight, priority: priority, limit: limit, run: run)
    return seat
  }

  private func start(
    _ flight: Flight<Output>,
    priority: TaskPriority,
    inheritsContext: Bool = true,
    limit: FlightLimit<Output>? = nil,
    run: @escaping Run
  ) {
    let work: @concurrent @Sendable () async -> Void = {
      do { flight.complete(.success(try await run(flight))) } catch {
        flight.complete(.failure(error))
      }
    }
    let job: Task<Void, Never>
    if inheritsContext {
      // Bound here instead of in the task, where a frame would hold the binding.
      job = FlightScope.$current.withValue(flight.registration) {
        time.startTask(priority: priority, work)
      }
    } else {
      job = time.startTask(priority: priority, inheritsContext: false) {
        await FlightScope.$current.withValue(flight.registration, operation: work)
      }
    }
    flight.install(job, priority: priority)
    if let limit { flight.startLimit(limit) }
  }
}
