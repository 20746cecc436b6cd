// `cachedBatch`: many ids, one call of the function for those that are missing.

/// Puts a cache in front of a function of many ids that returns values by id.
///
/// Ids that are cached or being loaded are not asked for; the rest is asked for by one call. What the
/// function leaves out is absent; what it adds is stored as well.
///
/// ```swift
/// let fetchUsers = cachedBatch(key: { "user/\($0)" }, expiry: .minutes(5)) { (ids: [Int]) in
///   try await api.users(ids)
/// }
/// let users = try await fetchUsers([1, 2, 3])
/// ```
///
/// - Parameters:
///   - key: derives the key of an id; synchronous, without side effects.
///   - expiry: how long values stay fresh; `nil` inherits.
///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
///     behind it replaces it; `nil` inherits.
///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
///     inherits.
///   - tags: labels of every value, by which entries can be expired or removed.
///   - policy: everything else; unset fields are inherited.
///   - maximumBatchSize: how many ids the function gets at once at most; more are asked for by several
///     calls at the same time, as far as `maximumConcurrentLoads` lets them.
///   - producer: the function; it gets each id once.
/// - Returns: the callable.
@_disfavoredOverload  // A producer that only throws would be ambiguous.
public func cachedBatch<ID: Hashable & Sendable, Value: Sendable>(
  key: @escaping @Sendable (ID) -> CacheKey,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  maximumBatchSize: Int? = nil,
  _ producer: @escaping @concurrent @Sendable ([ID]) async throws -> [ID: Value]
) -> BatchMemoized<ID, Value> {
  BatchMemoized(
    .current,
    key: key,
    policy: CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    ),
    maximum: maximumBatchSize
  ) { try await producer($0).mapValues { Produced($0) } }
}

/// Puts a cache in front of a function of many ids that returns values that know their ids.
///
/// Ids that are cached or being loaded are not asked for; the rest is asked for by one call. What the
/// function leaves out is absent; what it adds is stored as well.
///
/// - Parameters:
///   - key: derives the key of an id; synchronous, without side effects.
///   - expiry: how long values stay fresh; `nil` inherits.
///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
///     behind it replaces it; `nil` inherits.
///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
///     inherits.
///   - tags: labels of every value, by which entries can be expired or removed.
///   - policy: everything else; unset fields are inherited.
///   - maximumBatchSize: how many ids the function gets at once at most; more are asked for by several
///     calls at the same time, as far as `maximumConcurrentLoads` lets them.
///   - producer: the function; it gets each id once.
/// - Returns: the callable.
@_disfavoredOverload  // A producer that only throws would be ambiguous.
public func cachedBatch<Value: Identifiable & Sendable>(
  key: @escaping @Sendable (Value.ID) -> CacheKey,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  maximumBatchSize: Int? = nil,
  _ producer: @escaping @concurrent @Sendable ([Value.ID]) async throws -> [Value]
) -> BatchMemoized<Value.ID, Value> where Value.ID: Sendable {
  BatchMemoized(
    .current,
    key: key,
    policy: CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    ),
    maximum: maximumBatchSize
  ) { ids in
    Dictionary(try await producer(ids).map { ($0.id, Produced($0)) }) { _, last in last }
  }
}
