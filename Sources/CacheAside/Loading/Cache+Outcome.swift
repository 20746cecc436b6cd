extension Cache {
  /// Returns the value as a mode says, with the story of how it was found.
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
  ///   - mode: how this call uses the cache; `nil` takes the mode that is bound around it.
  ///   - storing: called with a produced value outside all locks; whether it may be stored.
  ///   - producer: computes the answer.
  /// - Returns: the value with source, age and remaining life.
  /// - Throws: as `cached`; `CacheError` with the code `notCached` in mode `.cacheOnly`.
  public nonisolated(nonsending) func outcome(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    mode: CacheMode? = nil,
    storing: (@Sendable (Value) -> Bool)? = nil,
    _ producer: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> CacheOutcome<Value> {
    try await outcome(
      key,
      mode,
      CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      storing,
      .deciding(producer)
    )
  }

  /// Loads now, stores the result and returns it; what is cached is served until then.
  ///
  /// Joins no load that began before the call.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expiry: how long the produced value stays fresh.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` takes the policy's.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     takes the policy's.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: what else this call decides.
  ///   - producer: computes the value.
  /// - Returns: the produced value.
  /// - Throws: as `cached`; `CacheError` with the code `closed` once ``close(within:)`` has begun.
  @discardableResult
  public nonisolated(nonsending) func refresh(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    let policy = CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    )
    try core.checkOpen(strategy.derive(key))
    return try await outcome(key, .reload, policy, nil, .plain(producer)).value
  }

  nonisolated(nonsending) func outcome(
    _ key: Key,
    _ mode: CacheMode?,
    _ policy: CachePolicy,
    _ storing: (@Sendable (Value) -> Bool)?,
    _ producer: Producer<Value>
  ) async throws -> CacheOutcome<Value> {
    let request = LoadRequest(
      mode: mode ?? Ambient.mode,
      policy: policy,
      storing: storing,
      producer: producer
    )
    let (loaded, joined) = try await lookup(key, request)
    return loaded.outcome(joined: joined, now: core.time.precise)
  }
}
