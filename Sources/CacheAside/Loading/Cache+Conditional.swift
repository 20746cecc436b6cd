// Producers that see the value that was there before, and may say that it is still right.

extension Cache {
  /// Returns the cached value, or runs a producer that can ask its source whether the old one is right.
  ///
  /// The producer gets what was there before, of any age that is kept, and may answer
  /// `.notModified`: then the old value gets a new lifetime in every store, without being encoded
  /// again. A hit returns without suspending or allocating.
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
  ///   - producer: gets the previous value, if there is one, and computes the answer.
  /// - Returns: the value.
  /// - Throws: as the form with a plain producer; `CacheError` with the code `unexpectedNotModified`
  ///   for `.notModified` without a previous value.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func cached(
    _ key: Key,
    expiry: Expiry? = nil,
    staleWhileRevalidate: @autoclosure () -> Window? = nil,
    staleIfError: @autoclosure () -> Window? = nil,
    tags: @autoclosure () -> [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @autoclosure () -> @concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>
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
      .conditional(producer())
    )
  }

  /// Returns the value as a mode says, with the story of how it was found; the producer sees the
  /// previous value.
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
  ///   - producer: gets the previous value, if there is one, and computes the answer.
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
    _ producer: @escaping @concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>
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
      .conditional(producer)
    )
  }
}
