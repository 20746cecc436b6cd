@testable import CacheAside

/// Boarding, waiting and leaving in one, as a cache does it in three steps.
extension FlightTable {
  /// Joins the key's flight, or leads a new one.
  ///
  /// Cancelling the calling task ends its wait at once and nobody else's.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - hash: its hash.
  ///   - whenUnobserved: what happens to a new flight when its last waiter leaves.
  ///   - supersede: whether everything registered for the key is closed and a new flight started.
  ///   - probe: looks in memory once a new flight is registered; what it finds ends the flight.
  ///   - run: the work, in one task that sees the caller's task-locals.
  /// - Returns: the flight's output, and whether somebody else leads it.
  /// - Throws: the flight's error; `CancellationError` for a cancelled caller;
  ///   ``CacheError/Code/recursiveLoad`` instead of a wait that could never end.
  nonisolated(nonsending) func load(
    _ key: Key,
    hash: UInt64,
    whenUnobserved: WhenUnobserved,
    supersede: Bool = false,
    probe: () -> Output?,
    run: @escaping Run
  ) async throws -> (output: Output, joined: Bool) {
    let seat = try board(
      key,
      hash: hash,
      whenUnobserved: whenUnobserved,
      supersede: supersede,
      probe: probe,
      run: run
    )
    defer { seat.leaveGraph() }
    return (try seat.output(after: await seat.flight.wait(in: seat.slot)), seat.joined)
  }

  /// Runs work that nobody can join and that never stores.
  ///
  /// - Parameters:
  ///   - whenUnobserved: what happens to the work when the caller is cancelled.
  ///   - limit: how long it may take; `nil` as long as the work does.
  ///   - run: the work; its registration is closed from the start.
  /// - Returns: the output.
  /// - Throws: the error of the work, or `CancellationError` for a cancelled caller.
  nonisolated(nonsending) func runUnregistered(
    whenUnobserved: WhenUnobserved,
    limit: FlightLimit<Output>? = nil,
    run: @escaping Run
  ) async throws -> Output {
    let seat = try boardUnregistered(whenUnobserved: whenUnobserved, limit: limit, run: run)
    defer { seat.leaveGraph() }
    return try seat.output(after: await seat.flight.wait(in: seat.slot))
  }
}
