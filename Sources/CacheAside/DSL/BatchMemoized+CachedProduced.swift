// The forms of `cachedBatch` whose function decides how its values are stored.

/// Puts a cache in front of a function of many ids that decides how each value is stored.
///
/// Each value has its own lifetime, tags, cost and validator, or is not stored. Ids that are cached or
/// being loaded are not asked for; the rest is asked for by one call. What the function leaves out is
/// absent; what it adds is stored as well. The function sees no previous values, so `.notModified` is
/// an error of its id.
///
/// ```swift
/// let fetchUsers = cachedBatch(key: { "user/\($0)" }) { (ids: [Int]) in
///   try await api.users(ids).mapValues { Produced($0, expiry: $0.expiry, tags: ["users"]) }
/// }
/// ```
///
/// - Parameters:
///   - key: derives the key of an id; synchronous, without side effects.
///   - expiry: how long values stay fresh, unless the function says otherwise; `nil` inherits.
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
public func cachedBatch<ID: Hashable & Sendable, Value: Sendable>(
  key: @escaping @Sendable (ID) -> CacheKey,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  maximumBatchSize: Int? = nil,
  _ producer: @escaping @concurrent @Sendable ([ID]) async throws -> [ID: Produced<Value>]
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
    maximum: maximumBatchSize,
    producer: producer
  )
}

/// Puts a cache in front of a function of many ids that decides how each value is stored, where the
/// values know their ids.
///
/// Each value has its own lifetime, tags, cost and validator, or is not stored. Ids that are cached or
/// being loaded are not asked for; the rest is asked for by one call. What the function leaves out is
/// absent; what it adds is stored as well. The function sees no previous values, so `.notModified` is
/// an error of all ids of its call.
///
/// - Parameters:
///   - key: derives the key of an id; synchronous, without side effects.
///   - expiry: how long values stay fresh, unless the function says otherwise; `nil` inherits.
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
public func cachedBatch<Value: Identifiable & Sendable>(
  key: @escaping @Sendable (Value.ID) -> CacheKey,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  maximumBatchSize: Int? = nil,
  _ producer: @escaping @concurrent @Sendable ([Value.ID]) async throws -> [Produced<Value>]
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
  ) { try await producer($0).byID() }
}

extension Array {
  /// Values that know their ids, by id; the last of several counts.
  ///
  /// - Throws: `CacheError` with the code `unexpectedNotModified`: such an answer has no id.
  func byID<Value: Identifiable & Sendable>() throws -> [Value.ID: Produced<Value>]
  where Element == Produced<Value> {
    Dictionary(try map { (try $0.made().id, $0) }) { _, last in last }
  }
}
