import Synchronization

/// The one answer of a callback producer.
///
/// The producer's handlers keep it alive; when the last of them is released without an answer, the
/// flight fails with ``CacheError/Code/abandoned``.
final class CallbackAnswer<Output: Sendable>: Sendable {
  private enum State: UInt8, AtomicRepresentable { case open, claimed, completed }

  /// What the flight ends with when no handler was called.
  typealias OnRelease = @Sendable (Flight<Output>, CacheError) -> Result<Output, any Error>

  private let state = Atomic<State>(.open)
  private let flight: Flight<Output>
  private let key: CacheKey?
  private let onRelease: OnRelease
  private let onSecondAnswer: @Sendable () -> Void

  /// Makes the answer of a flight.
  ///
  /// - Parameters:
  ///   - flight: the flight that it ends.
  ///   - key: the key, for the error.
  ///   - onRelease: what the flight ends with when no handler was called.
  ///   - onSecondAnswer: called for each answer after the first.
  init(
    flight: Flight<Output>,
    key: CacheKey?,
    onRelease: @escaping OnRelease = { _, error in .failure(error) },
    onSecondAnswer: @escaping @Sendable () -> Void
  ) {
    self.flight = flight
    self.key = key
    self.onRelease = onRelease
    self.onSecondAnswer = onSecondAnswer
  }

  deinit {
    guard state.load(ordering: .acquiring) != .completed else { return }
    let message =
      "the callback producer released its handlers without calling one; "
      + "call success or failure, exactly once"
    flight.complete(onRelease(flight, CacheError(.abandoned, message, key: key)))
  }

  /// What may store the answer's value.
  var registration: Registration { flight.registration }

  /// Says what callers can have who do not want to wait for the answer.
  func offer(_ fallback: @escaping Flight<Output>.Fallback) { flight.offer(fallback) }

  /// Takes the right to answer; whoever has it stores the value, then completes.
  ///
  /// - Returns: whether this is the first answer; every later one is reported and to be dropped.
  func claim() -> Bool {
    let (first, _) = state.compareExchange(
      expected: .open,
      desired: .claimed,
      ordering: .acquiringAndReleasing
    )
    if !first { onSecondAnswer() }
    return first
  }

  /// Ends the flight on behalf of the answer that was claimed.
  ///
  /// - Parameter result: what all waiters get.
  func complete(_ result: Result<Output, any Error>) {
    let (first, _) = state.compareExchange(
      expected: .claimed,
      desired: .completed,
      ordering: .acquiringAndReleasing
    )
    guard first else { preconditionFailure("an answer is claimed once and completed once") }
    flight.complete(result)
  }

  /// Answers, if this is the first answer.
  ///
  /// - Parameter result: stores the value and says what all waiters get; not called for a later
  ///   answer.
  func answer(_ result: () -> Result<Output, any Error>) {
    if claim() { complete(result()) }
  }
}
