extension Caches {
  /// Makes a mode count for every call inside an operation that does not say its own.
  ///
  /// ```swift
  /// let page = try await Caches.withMode(isForced ? .reload : .default) { try await render(id) }
  /// ```
  ///
  /// It reaches all forms of `cached` and `cachedBatch`, the callables and the methods of `Cache` that
  /// load, in the tasks that the operation starts, too, and in producers that call other cached
  /// functions. Subscripts, `value(for:)`, `values(for:)`, `peek` and the names of ``ObjectCache`` stay as they are, and loads
  /// in the background never see it. A mode inside another replaces it.
  ///
  /// - Parameters:
  ///   - mode: the mode; `.default` ends the effect of one that is bound around it.
  ///   - operation: what runs with it.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public nonisolated(nonsending)
    static func withMode<Result>(
      _ mode: CacheMode,
      _ operation: () async throws -> Result
    ) async rethrows -> Result
  { try await Ambient.with(mode: mode, operation) }

  /// Makes a mode count for every call inside a synchronous operation, as the asynchronous form does.
  ///
  /// It is for code that starts tasks; what is synchronous itself does not load.
  ///
  /// - Parameters:
  ///   - mode: the mode.
  ///   - operation: what runs with it.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public static func withMode<Result>(
    _ mode: CacheMode,
    _ operation: () throws -> Result
  ) rethrows -> Result { try Ambient.with(mode: mode, operation) }
}
