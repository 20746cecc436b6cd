/// A function of many ids with a cache in front: it is asked once for those that are neither cached nor
/// being loaded.
///
/// Every key is an entry of its own: single calls, other batches and invalidations meet it, and it has
/// its own lifetime. What the function leaves out is absent, and that is remembered as the negative
/// rules say.
public struct BatchMemoized<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  let source: CacheFeature.Source
  let request: BatchRequest<ID, Value>

  init(
    _ source: CacheFeature.Source,
    key: @escaping @Sendable (ID) -> CacheKey,
    policy: CachePolicy,
    maximum: Int?,
    producer: @escaping @concurrent @Sendable ([ID]) async throws -> [ID: Produced<Value>]
  ) {
    self.source = source
    request = BatchRequest(
      key: key,
      policy: policy,
      maximum: max(1, maximum ?? .max),
      producer: producer
    )
  }

  /// Returns the values of ids, loading those together that are missing.
  ///
  /// All ids are waited for, also when one fails. A cancelled caller leaves at once; the load is
  /// cancelled when nobody wants any of its ids.
  ///
  /// - Parameters:
  ///   - ids: the ids, in any order; one that is there twice is asked for once.
  ///   - mode: how this call uses the cache, for each id as a call of one would; `nil` takes the mode
  ///     that ``Caches/withMode(_:_:)`` has bound.
  /// - Returns: the values; ids that are absent are left out.
  /// - Throws: the error of the first id in order that has one; `CancellationError`; in mode
  ///   `.cacheOnly` `CacheError` with the code `notCached` if an id is neither cached nor known to be
  ///   absent: ``outcomes(_:mode:)`` gives what is there.
  public nonisolated(nonsending) func callAsFunction(
    _ ids: [ID],
    mode: CacheMode? = nil
  ) async throws -> [ID: Value] {
    var values: [ID: Value] = [:]
    for (id, result) in await outcomes(ids, mode: mode) {
      if let value = try result.get() { values[id] = value }
    }
    return values
  }

  /// Returns what every id comes to: its value, `nil` when it is absent, or its error.
  ///
  /// - Parameters:
  ///   - ids: the ids.
  ///   - mode: how this call uses the cache, for each id as a call of one would; `nil` takes the mode
  ///     that ``Caches/withMode(_:_:)`` has bound.
  /// - Returns: one result an id, in order, with duplicates.
  public nonisolated(nonsending) func outcomes(
    _ ids: [ID],
    mode: CacheMode? = nil
  ) async -> [(ID, Result<Value?, any Error>)] {
    let tables = source.tables
    return await tables.table(Value.self).batch(
      ids,
      request,
      Absences(tables: tables),
      mode ?? Ambient.mode
    )
  }

  /// The key of an id, as `CacheFeature.remove(_:)` and tools take it.
  ///
  /// - Parameter id: the id.
  /// - Returns: the key.
  public func key(for id: ID) -> CacheKey { request.key(id) }

  /// A function of one id that collects calls and loads them together.
  ///
  /// What is fresh in memory is returned at once. Otherwise a call waits until the window has passed since the
  /// first one that was collected, or enough ids are there: the window is latency. All copies of the
  /// collector collect together.
  ///
  /// - Parameters:
  ///   - maximum: how many ids are loaded without waiting for the window to pass; at least 1.
  ///   - window: how long ids are collected at most.
  /// - Returns: the collector.
  public func batching(maximum: Int, window: Window) -> BatchCollector<ID, Value> {
    BatchCollector(
      source: source,
      collecting: BatchCollecting(
        request,
        maximum: max(1, maximum),
        window: max(0, window.nanoseconds)
      )
    )
  }
}
