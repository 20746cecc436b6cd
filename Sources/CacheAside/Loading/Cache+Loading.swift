// The producer of a call is taken through an autoclosure, here and in the immediate forms: a hit then
// never makes the closure. An escaping parameter would have its context allocated before the probe,
// since the optimizer does not move an allocation past the lock.

extension Cache {
  /// Returns the cached value, or runs the producer once for all concurrent callers of the key.
  ///
  /// A hit returns without suspending or allocating. The producer does not inherit the caller's
  /// actor. A caller that is cancelled leaves at once with `CancellationError`; the others and the
  /// load go on, and when the last one has left, `whenUnobserved` decides.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long a produced value stays fresh; `nil` takes the policy's.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - producer: computes the value.
  /// - Returns: the value.
  /// - Throws: the producer's error, to every caller that waited for it; `CancellationError`;
  ///   `CacheError` for a recursive load or an expiry that is not a number.
  @_disfavoredOverload  // A producer that only throws would be ambiguous.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func cached(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: @autoclosure () -> Window? = nil,
    staleIfError: @autoclosure () -> Window? = nil,
    tags: @autoclosure () -> [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    if let value = probeByMode(key) { return value }
    return try await miss(
      key,
      CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate(),
        staleIfError: staleIfError(),
        tags: tags()
      ),
      .plain(producer())
    )
  }

  /// Returns the cached value, or runs a producer that decides lifetime, cost and storing.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long a produced value stays fresh, unless the producer says otherwise.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - producer: computes the answer.
  /// - Returns: the value.
  /// - Throws: as the form with a plain producer.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func cached(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: @autoclosure () -> Window? = nil,
    staleIfError: @autoclosure () -> Window? = nil,
    tags: @autoclosure () -> [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> Value {
    if let value = probeByMode(key) { return value }
    return try await miss(
      key,
      CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate(),
        staleIfError: staleIfError(),
        tags: tags()
      ),
      .deciding(producer())
    )
  }
}
