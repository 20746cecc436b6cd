/// The seam behind ``TimeSource`` that a manual clock implements.
///
/// Production code needs no provider: ``TimeSource/system`` reads the system's clocks. A provider
/// takes over all time of the caches it is given to: both hands, sleeps, the executor their tasks
/// run on, and the randomness behind jitter.
public protocol TimeProvider: AnyObject, Sendable {
  /// Nanoseconds on a hand that never moves back.
  var monotonicNanoseconds: Int64 { get }

  /// Microseconds since 1970-01-01T00:00:00Z on a hand that may be set freely.
  var wallMicroseconds: Int64 { get }

  /// The executor that the cache's own tasks prefer; `nil` for the default one.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Suspends until the monotonic hand reaches a moment.
  ///
  /// - Parameter deadline: the moment, in nanoseconds of ``monotonicNanoseconds``; one that has
  ///   passed returns at once.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  func sleep(untilNanoseconds deadline: Int64) async throws

  /// Notes that work runs outside the executor, on a thread of a store for example.
  ///
  /// - Parameter label: what runs, for the message of a clock that waits in vain.
  /// - Returns: a token for ``endWork(_:)``.
  func beginWork(_ label: String) -> UInt64

  /// Ends what ``beginWork(_:)`` began.
  ///
  /// - Parameter token: the token that it returned.
  func endWork(_ token: UInt64)

  /// The next value of the provider's seeded random sequence.
  func nextRandom() -> UInt64
}
