extension FlightTable {
  /// What a caller of the callback form is told, exactly once.
  typealias Completion = @Sendable (Result<Output, any Error>, _ joined: Bool) -> Void

  /// A callback producer.
  ///
  /// It keeps the answer until it has one. Releasing it unanswered ends the flight.
  typealias Block = (CallbackAnswer<Output>) -> Void

  /// Joins the key's flight, or leads a new one whose producer answers by callback.
  ///
  /// The completion runs within this call if the flight ends within it, else on the thread that
  /// ends the flight. Such a flight is never given up for want of waiters: cancelling stops waiting
  /// only.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - patience: until when the caller waits.
  ///   - limit: how long a new flight may take.
  ///   - probe: looks in memory once a new flight is registered; what it finds ends the flight.
  ///   - start: the callback producer; it runs on the calling thread.
  ///   - onRelease: what the flight ends with when the producer releases its answer unanswered.
  ///   - onSecondAnswer: called for each answer after the first.
  ///   - completion: gets the result, and whether somebody else leads the flight.
  func loadCallback(
    _ key: Key,
    hash: UInt64,
    patience: Patience? = nil,
    limit: @autoclosure () -> FlightLimit<Output>? = nil,
    probe: () -> Output?,
    start: Block,
    onRelease: @escaping CallbackAnswer<Output>.OnRelease = { _, error in .failure(error) },
    onSecondAnswer: @escaping @Sendable () -> Void,
    completion: @escaping Completion
  ) {
    let (flight, slot, joined) = enter(
      HashedKey(key: key, hash: hash),
      supersedes: false,
      whenUnobserved: .finish,
      priority: Task.currentPriority
    )
    if !joined, let output = probe() {
      flight.complete(.success(output))
      return completion(.success(output), false)
    }
    let seat = FlightSeat(flight: flight, slot: slot, joined: joined)
    guard seat.enterGraph() else {
      flight.withdraw(slot)
      return completion(.failure(CacheError.recursiveLoad(of: naming(key))), joined)
    }
    let timer = patience.map { PatienceTimer($0, in: seat) }
    let finish: @Sendable (Waiter.End) -> Void = { end in
      timer?.cancel()
      seat.leaveGraph()
      seat.asCaller { completion(Result { try seat.output(after: end) }, joined) }
    }
    let end = flight.park(.callback(finish), in: slot)
    if let end { finish(end) }
    // A leader whose time is up already runs its block all the same: others may have joined, and nobody
    // else would end the flight.
    guard !joined, end != .ended else { return }
    run(flight, key, limit(), start, onRelease, onSecondAnswer)
  }

  /// Starts a flight that nobody waits for, whose producer answers by callback, unless one is there.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - limit: how long it may take.
  ///   - probe: looks once the flight is registered; what it finds ends the flight.
  ///   - start: the callback producer; it runs on the calling thread.
  ///   - onRelease: what the flight ends with when the producer releases its answer unanswered.
  ///   - onSecondAnswer: called for each answer after the first.
  /// - Returns: whether it was started.
  @discardableResult
  func startBackgroundCallback(
    _ key: Key,
    hash: UInt64,
    limit: FlightLimit<Output>?,
    probe: () -> Output? = { nil },
    start: Block,
    onRelease: @escaping CallbackAnswer<Output>.OnRelease,
    onSecondAnswer: @escaping @Sendable () -> Void
  ) -> Bool {
    guard let flight = enterAlone(key, hash: hash, priority: .utility) else { return false }
    if let output = probe() {
      flight.complete(.success(output))
      return false
    }
    run(flight, key, limit, start, onRelease, onSecondAnswer)
    return true
  }

  private func run(
    _ flight: Flight<Output>,
    _ key: Key,
    _ limit: FlightLimit<Output>?,
    _ start: Block,
    _ onRelease: @escaping CallbackAnswer<Output>.OnRelease,
    _ onSecondAnswer: @escaping @Sendable () -> Void
  ) {
    if let limit { flight.startLimit(limit) }
    FlightScope.$current.withValue(flight.registration) {
      start(
        CallbackAnswer(
          flight: flight,
          key: naming(key),
          onRelease: onRelease,
          onSecondAnswer: onSecondAnswer
        )
      )
    }
  }
}
