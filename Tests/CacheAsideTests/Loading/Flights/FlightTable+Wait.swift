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
}
