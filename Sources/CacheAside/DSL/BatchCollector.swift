/// A function of one id whose calls are collected for a while and loaded by one call of the batch
/// function; made by ``BatchMemoized/batching(maximum:window:)``.
public struct BatchCollector<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  let source: CacheFeature.Source
  let collecting: BatchCollecting<ID, Value>

  /// Returns the value of an id, at once if it is fresh in memory, else from the next load.
  ///
  /// A cancelled caller leaves at once and takes its id along unless somebody else wants it.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - mode: how this call uses the cache; `nil` takes the mode that ``Caches/withMode(_:_:)`` has
  ///     bound. A reload is collected with other reloads, and `.bypass` is not collected.
  /// - Returns: the value, or `nil` when it is absent.
  /// - Throws: the error of the load; `CancellationError`; `CacheError` with the code `notCached` in
  ///   mode `.cacheOnly`.
  public nonisolated(nonsending) func callAsFunction(
    _ id: ID,
    mode: CacheMode? = nil
  ) async throws -> Value? {
    let tables = source.tables
    return try await collecting.load(
      id,
      from: tables.table(Value.self),
      Absences(tables: tables),
      mode ?? Ambient.mode
    )
  }
}
