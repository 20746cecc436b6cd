import CacheAside

extension ManualClock {
  /// Runs a piece of a test on the clock's executor, where its order is fixed.
  ///
  /// The body and its child tasks run one job at a time, in turn with the tasks of the caches that
  /// use the clock; whatever they start is waited for by ``advance(by:)`` and ``settle()``.
  ///
  /// - Parameter body: what to run; it does not inherit the caller's actor.
  /// - Returns: what the body returned.
  /// - Throws: what the body threw.
  public func run<Result: Sendable>(
    _ body: @concurrent @Sendable () async throws -> Result
  ) async rethrows -> Result {
    try await withTaskExecutorPreference(executor) { try await body() }
  }

  /// Starts an unstructured task on the clock's executor.
  ///
  /// A plain `Task { }` runs elsewhere, so the clock would not wait for it.
  ///
  /// - Parameters:
  ///   - priority: its priority; the executor runs jobs in order whatever it is.
  ///   - operation: what it does.
  /// - Returns: the task.
  @discardableResult
  public func startTask<Result: Sendable>(
    priority: TaskPriority? = nil,
    _ operation: sending @escaping @concurrent () async throws -> Result
  ) -> Task<Result, any Error> {
    Task(executorPreference: executor, priority: priority, operation: operation)
  }
}
