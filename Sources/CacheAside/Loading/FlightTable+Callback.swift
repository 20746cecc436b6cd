extension FlightTable {
  /// What a caller of the callback form is told, exactly once.
  typealias Completion = @Sendable (Result<Output, any Error>, _ joined: Bool) -> Void

  /// Joins the key's flight, or leads a new one whose producer answers by callback.
  ///
  /// The completion runs within this call if the flight ends within it, else on the thread that
  /// ends the flight. Such a flight is never given up for want of waiters: cancelling stops waiting
  /// only.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - supersede: whether everything registered for the key is closed and a new flight started.
  ///   - probe: looks in memory once a new flight is registered; what it finds ends the flight.
  ///   - start: the callback producer; it runs on the calling thread and keeps the handle until it
  ///     answers. Releasing the handle unanswered fails the flight.
  ///   - onSecondAnswer: called for each answer after the first.
  ///   - completion: gets the result, and whether somebody else leads the flight.
  func loadCallback(
    _ key: Key,
    hash: UInt64,
    supersede: Bool = false,
    probe: () -> Output?,
    start: (CallbackAnswer<Output>) -> Void,
    onSecondAnswer: @escaping @Sendable () -> Void,
    completion: @escaping Completion
  ) {
    let (flight, slot, joined) = enter(
      HashedKey(key: key, hash: hash),
      supersedes: supersede,
      whenUnobserved: .finish,
      priority: Task.currentPriority
    )
    if !joined, let output = probe() {
      flight.complete(.success(output))
      return completion(.success(output), false)
    }
    let seat = FlightSeat(flight: flight, slot: slot, joined: joined)
    guard seat.enterGraph() else {
      flight.leave(slot)
      return completion(.failure(CacheError.recursiveLoad(of: key)), joined)
    }
    let finish: @Sendable () -> Void = {
      seat.leaveGraph()
      seat.asCaller { completion(flight.result, joined) }
    }
    if flight.park(.callback(finish), in: slot) != nil { return finish() }
    guard !joined else { return }
    FlightScope.$current.withValue(flight.registration) {
      start(
        CallbackAnswer(flight: flight, key: key as? CacheKey, onSecondAnswer: onSecondAnswer)
      )
    }
  }
}
