/// A function of one id whose calls are collected for a while and loaded by one call of the batch
/// function; made by ``BatchMemoized/batching(maximum:window:)``.
public struct BatchCollector<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  let source: CacheFeature.Source
  let collecting: BatchCollecting<ID, Value>

  /// Returns the value of an id, at once if it is fresh in memory, else from the next load.
  ///
  /// A cancelled caller leaves at once and takes its id along unless somebody else wants it.
  ///
  /// - Parameter id: the id.
  /// - Returns: the value, or `nil` when it is absent.
  /// - Throws: the error of the load; `CancellationError`.
  public nonisolated(nonsending) func callAsFunction(_ id: ID) async throws -> Value? {
    let tables = source.tables
    return try await collecting.load(
      id,
      from: tables.table(Value.self),
      Absences(tables: tables)
    )
  }
}
