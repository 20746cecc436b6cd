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
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - producer: computes the value.
  /// - Returns: the value.
  /// - Throws: the producer's error, to every caller that waited for it; `CancellationError`;
  ///   `CacheError` for a recursive load or an expiry that is not a number.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func cached(
    _ key: Key,
    expiry: Expiry? = nil,
    policy: CachePolicy? = nil,
    _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    if let value = probe(key) { return value }
    return try await miss(key, expiry, policy, producer())
  }

  /// Returns the cached value, or runs a producer that decides lifetime, cost and storing.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long a produced value stays fresh, unless the producer says otherwise.
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - producer: computes the answer.
  /// - Returns: the value.
  /// - Throws: as the form with a plain producer.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func cached(
    _ key: Key,
    expiry: Expiry? = nil,
    policy: CachePolicy? = nil,
    _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> Value {
    if let value = probe(key) { return value }
    return try await missProduced(key, expiry, policy, producer())
  }

  @usableFromInline @inline(never)
  nonisolated(nonsending) func miss(
    _ key: Key,
    _ expiry: Expiry?,
    _ policy: CachePolicy?,
    _ producer: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    try await miss(key, expiry, policy, .plain(producer))
  }

  @usableFromInline @inline(never)
  nonisolated(nonsending) func missProduced(
    _ key: Key,
    _ expiry: Expiry?,
    _ policy: CachePolicy?,
    _ producer: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> Value {
    try await miss(key, expiry, policy, .deciding(producer))
  }

  @inline(__always)
  private nonisolated(nonsending) func miss(
    _ key: Key,
    _ expiry: Expiry?,
    _ policy: CachePolicy?,
    _ producer: LoadRequest<Value>.Producer
  ) async throws -> Value {
    var policy = policy ?? CachePolicy()
    if let expiry { policy.expiry = expiry }
    return try await load(
      key,
      LoadRequest(mode: .default, policy: policy, storing: nil, producer: producer)
    ).loaded.value
  }

  /// Returns the value as a mode says, with the story of how it was found.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long a produced value stays fresh, unless the producer says otherwise.
  ///   - policy: what else this call decides; unset fields are the feature's.
  ///   - mode: how this call uses the cache.
  ///   - storing: called with a produced value outside all locks; whether it may be stored.
  ///   - producer: computes the answer.
  /// - Returns: the value with source, age and remaining life.
  /// - Throws: as `cached`; `CacheError` with the code `notCached` in mode `.cacheOnly`.
  public nonisolated(nonsending) func outcome(
    _ key: Key,
    expiry: Expiry? = nil,
    policy: CachePolicy? = nil,
    mode: CacheMode = .default,
    storing: (@Sendable (Value) -> Bool)? = nil,
    _ producer: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> CacheOutcome<Value> {
    var policy = policy ?? CachePolicy()
    if let expiry { policy.expiry = expiry }
    let request = LoadRequest(mode: mode, policy: policy, storing: storing, produce: producer)
    let (loaded, joined) = try await lookup(key, request)
    return loaded.outcome(joined: joined, now: core.time.precise)
  }

  /// Loads now, stores the result and returns it; what is cached is served until then.
  ///
  /// Joins no load that began before the call.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long the produced value stays fresh.
  ///   - policy: what else this call decides.
  ///   - producer: computes the value.
  /// - Returns: the produced value.
  /// - Throws: as `cached`.
  @discardableResult
  public nonisolated(nonsending) func refresh(
    _ key: Key,
    expiry: Expiry? = nil,
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    try await outcome(key, expiry: expiry, policy: policy, mode: .reload) {
      Produced(try await producer())
    }.value
  }
}
