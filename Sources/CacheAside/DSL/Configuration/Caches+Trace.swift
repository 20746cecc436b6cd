extension Caches {
  /// Records the cache decisions of an operation and the tasks it starts.
  ///
  /// What happens inside a trace within another belongs to both.
  ///
  /// - Parameters:
  ///   - trace: where to.
  ///   - operation: what is recorded.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public nonisolated(nonsending)
    static func withTrace<Result>(
      _ trace: CacheTrace,
      _ operation: () async throws -> Result
    ) async rethrows -> Result
  { try await Ambient.with(trace: trace, operation) }

  /// Records the cache decisions of a synchronous operation, as the asynchronous form does.
  ///
  /// - Parameters:
  ///   - trace: where to.
  ///   - operation: what is recorded.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public static func withTrace<Result>(
    _ trace: CacheTrace,
    _ operation: () throws -> Result
  ) rethrows -> Result { try Ambient.with(trace: trace, operation) }
}
