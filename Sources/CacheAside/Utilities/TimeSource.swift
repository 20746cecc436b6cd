/// All time of a cache in one value: clocks, sleeps, the executor of its tasks, randomness.
///
/// A cache reads time only here, so that a test can hand it a manual clock and drive expiry without
/// sleeping. The cheap reads are one branch away from the system's clock.
@frozen
public struct TimeSource: Sendable {
  @usableFromInline package let provider: (any TimeProvider)?

  @inlinable
  init(provider: (any TimeProvider)?) { self.provider = provider }

  /// The system's clocks and the default executor.
  @inlinable
  public static var system: TimeSource { TimeSource(provider: nil) }

  /// Makes a source that asks a provider for everything.
  ///
  /// - Parameter provider: for example the `ManualClock` of CacheAsideTesting.
  public init(_ provider: any TimeProvider) { self.provider = provider }

  /// Whether coarse and precise reads agree to the nanosecond, as with a manual clock.
  @inlinable
  public var isExact: Bool { provider != nil }

  /// Monotonic nanoseconds that count system sleep, up to two ticks of the system behind (1 to 10 ms each).
  @inlinable
  public var coarse: Int64 {
    if let provider { return provider.monotonicNanoseconds }
    return SystemClock.coarse()
  }

  /// Monotonic nanoseconds that count system sleep.
  @inlinable
  public var precise: Int64 {
    if let provider { return provider.monotonicNanoseconds }
    return SystemClock.precise()
  }

  /// Microseconds since 1970-01-01T00:00:00Z.
  public var wall: Int64 {
    if let provider { return provider.wallMicroseconds }
    return SystemClock.wall()
  }

  /// Suspends until the monotonic clock reaches a moment.
  ///
  /// - Parameter deadline: nanoseconds as ``precise`` counts them.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled.
  public func sleep(untilNanoseconds deadline: Int64) async throws {
    if let provider { return try await provider.sleep(untilNanoseconds: deadline) }
    try Task.checkCancellation()
    if deadline <= precise { return }
    try await DeadlineSleep(deadline).run(in: .system)
  }

  /// Does something at a moment, in a task of its own that inherits nothing.
  ///
  /// However many there are, one task or a few sleep for all of them.
  ///
  /// - Parameters:
  ///   - moment: nanoseconds as ``precise`` counts them; `max` never comes.
  ///   - operation: what is done.
  /// - Returns: what cancels it.
  func call(at moment: Int64, _ operation: @escaping @Sendable () -> Void) -> Deadline {
    if moment == .max { return Deadline() }
    return DeadlineQueue.of(provider).add(at: moment) { [self] in
      startTask(inheritsContext: false) { operation() }
    }
  }

  /// Suspends for a while, as the loops of background work do between two rounds.
  ///
  /// - Parameter nanoseconds: how long.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled, and when no clock counts
  ///   that far: such a loop has to end.
  func sleep(nanoseconds: Int64) async throws {
    let (deadline, isBeyondTime) = precise.addingReportingOverflow(nanoseconds)
    if isBeyondTime { throw CancellationError() }
    try await sleep(untilNanoseconds: deadline)
  }

  /// Starts a task; every task that loads or sweeps is started here.
  ///
  /// - Parameters:
  ///   - priority: its priority; `nil` takes the caller's.
  ///   - inheritsContext: whether it sees the caller's task-locals.
  ///   - operation: what it does.
  /// - Returns: the task.
  @discardableResult
  func startTask(
    priority: TaskPriority? = nil,
    inheritsContext: Bool = true,
    _ operation: sending @escaping @concurrent () async -> Void
  ) -> Task<Void, Never> {
    if inheritsContext {
      return Task(
        executorPreference: provider?.taskExecutor,
        priority: priority,
        operation: operation
      )
    }
    return Task.detached(
      executorPreference: provider?.taskExecutor,
      priority: priority,
      operation: operation
    )
  }

  /// A random word: the provider's sequence, or the system's generator.
  func random() -> UInt64 {
    provider?.nextRandom() ?? UInt64.random(in: .min ... .max)
  }
}
