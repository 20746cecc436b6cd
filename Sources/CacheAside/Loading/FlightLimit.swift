/// How long a flight may take.
struct FlightLimit<Output: Sendable>: Sendable {
  /// Nanoseconds from its start; `max` is without end.
  let nanoseconds: Int64
  /// What its waiters get when it has not ended by then; called once, outside all locks.
  let result: @Sendable (Flight<Output>) -> Result<Output, any Error>
}
