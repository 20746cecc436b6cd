// The forms of the global `cached`, in a feature.

extension CacheFeature {
  /// Returns the cached value, or runs the producer once for all concurrent callers of the key.
  ///
  /// A hit returns without suspending or allocating. The producer does not inherit the caller's
  /// actor. A cancelled caller leaves at once with `CancellationError`; the load goes on for others.
  ///
  /// - Parameters:
  ///   - key: the key; interpolated parts are escaped.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - mode: how this call uses the cache; `nil` takes the mode that ``Caches/withMode(_:_:)`` has
  ///     bound.
  ///   - condition: whether to use the cache at all; if not, the call is neither cached nor shared.
  ///   - storing: called with a produced value outside all locks; whether it may be stored.
  ///   - fallback: what to return instead of an error other than a cancellation; never stored.
  ///   - producer: computes the value.
  /// - Returns: the value.
  /// - Throws: the producer's error, to every caller that waited for it; `CancellationError`;
  ///   `CacheError` for a recursive load, an expiry that is not a number, or the mode `.cacheOnly`.
  @_disfavoredOverload  // `storing` and `default` would leave a `Produced` producer ambiguous.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func cached<Value: Sendable>(
    key: CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: @autoclosure () -> Window? = nil,
    staleIfError: @autoclosure () -> Window? = nil,
    tags: @autoclosure () -> [Tag] = [],
    policy: CachePolicy? = nil,
    mode: CacheMode? = nil,
    when condition: Bool = true,
    storing: (@Sendable (Value) -> Bool)? = nil,
    default fallback: Value? = nil,
    _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    if mode?.isDefault ?? true, condition, let value = source.probe(key, Value.self) {
      return value
    }
    let tables = tables
    return try await ImmediateCall(
      policy: CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate(),
        staleIfError: staleIfError(),
        tags: tags()
      ),
      mode: condition ? mode : .bypass,
      storing: storing,
      fallback: fallback
    ).load(key, from: tables.table(Value.self), producing: producer())
  }

  /// Returns the cached value, or runs a producer that decides lifetime, cost and storing.
  ///
  /// A hit returns without suspending or allocating. The producer does not inherit the caller's
  /// actor. A cancelled caller leaves at once with `CancellationError`; the load goes on for others.
  ///
  /// - Parameters:
  ///   - key: the key; interpolated parts are escaped.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - mode: how this call uses the cache; `nil` takes the mode that ``Caches/withMode(_:_:)`` has
  ///     bound.
  ///   - condition: whether to use the cache at all; if not, the call is neither cached nor shared.
  ///   - storing: called with a produced value outside all locks; whether it may be stored.
  ///   - fallback: what to return instead of an error other than a cancellation; never stored.
  ///   - producer: computes the answer.
  /// - Returns: the value.
  /// - Throws: the producer's error, to every caller that waited for it; `CancellationError`;
  ///   `CacheError` for a recursive load, an expiry that is not a number, or the mode `.cacheOnly`.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func cached<Value: Sendable>(
    key: CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: @autoclosure () -> Window? = nil,
    staleIfError: @autoclosure () -> Window? = nil,
    tags: @autoclosure () -> [Tag] = [],
    policy: CachePolicy? = nil,
    mode: CacheMode? = nil,
    when condition: Bool = true,
    storing: (@Sendable (Value) -> Bool)? = nil,
    default fallback: Value? = nil,
    _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> Value {
    if mode?.isDefault ?? true, condition, let value = source.probe(key, Value.self) {
      return value
    }
    let tables = tables
    return try await ImmediateCall(
      policy: CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate(),
        staleIfError: staleIfError(),
        tags: tags()
      ),
      mode: condition ? mode : .bypass,
      storing: storing,
      fallback: fallback
    ).load(key, from: tables.table(Value.self), producer: producer())
  }

  /// Puts a cache in front of a function, with a key derived from its arguments by a closure.
  ///
  /// The key closure runs once a call; arguments that give one key share one entry.
  ///
  /// - Parameters:
  ///   - key: derives the key; synchronous, without side effects.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function.
  /// - Returns: the callable.
  @inlinable
  public func cached<each Argument: Sendable, Value: Sendable>(
    key: @escaping @Sendable (repeat each Argument) -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Value
  ) -> MemoizedFunction<CacheKey, Value, repeat each Argument> {
    MemoizedFunction(
      source,
      name: nil,
      strategy: .identity,
      policy: CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      key: key,
      producer: { (argument: repeat each Argument) in
        .plain { try await producer(repeat each argument) }
      }
    )
  }

  /// Puts a cache in front of a function, with a key derived from its arguments by a closure and a producer that decides.
  ///
  /// The key closure runs once a call; arguments that give one key share one entry.
  ///
  /// - Parameters:
  ///   - key: derives the key; synchronous, without side effects.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function.
  /// - Returns: the callable.
  @inlinable
  public func cached<each Argument: Sendable, Value: Sendable>(
    key: @escaping @Sendable (repeat each Argument) -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (repeat each Argument) async throws -> Produced<Value>
  ) -> MemoizedFunction<CacheKey, Value, repeat each Argument> {
    MemoizedFunction(
      source,
      name: nil,
      strategy: .identity,
      policy: CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      key: key,
      producer: { (argument: repeat each Argument) in
        .deciding { try await producer(repeat each argument) }
      }
    )
  }
}
