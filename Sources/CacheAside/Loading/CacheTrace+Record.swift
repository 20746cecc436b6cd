extension CacheTrace {
  /// Records the cache decisions of an operation and the tasks it starts.
  ///
  /// For an operation that may throw, bind a trace that you keep: `Caches.withTrace(_:_:)`.
  ///
  /// - Parameters:
  ///   - limit: how many entries are kept.
  ///   - showsKeys: whether printing shows keys and tags.
  ///   - operation: what is recorded.
  /// - Returns: what the operation returns, and the trace.
  /// - Throws: what the operation throws.
  public nonisolated(nonsending)
    static func record<Result>(
      limit: Int = 1_000,
      showsKeys: Bool = false,
      _ operation: () async throws -> Result
    ) async rethrows -> (result: Result, trace: CacheTrace)
  {
    let trace = CacheTrace(limit: limit, showsKeys: showsKeys)
    return (try await Ambient.with(trace: trace, operation), trace)
  }

  /// Records the cache decisions of a synchronous operation, as the asynchronous form does.
  ///
  /// - Parameters:
  ///   - limit: how many entries are kept.
  ///   - showsKeys: whether printing shows keys and tags.
  ///   - operation: what is recorded.
  /// - Returns: what the operation returns, and the trace.
  /// - Throws: what the operation throws.
  public static func record<Result>(
    limit: Int = 1_000,
    showsKeys: Bool = false,
    _ operation: () throws -> Result
  ) rethrows -> (result: Result, trace: CacheTrace) {
    let trace = CacheTrace(limit: limit, showsKeys: showsKeys)
    return (try Ambient.with(trace: trace, operation), trace)
  }
}
