// The advice of the global `cached`, in a feature.

extension CacheFeature {
  /// Refuses a key closure without arguments in front of a function that takes some.
  ///
  /// - Parameters:
  ///   - key: a closure that cannot see the arguments.
  ///   - expiry: how long values stay fresh.
  ///   - staleWhileRevalidate: how long after that it is returned while it is loaded again.
  ///   - staleIfError: how long after that it is returned when a load fails.
  ///   - tags: labels of the entry.
  ///   - policy: everything else.
  ///   - producer: the function.
  /// - Returns: nothing: it cannot be called.
  @available(
    *,
    unavailable,
    message: "the key closure takes the function's arguments; use them all, key: { \"…/\\($0)\" }"
  )
  public func cached<First: Sendable, each Argument: Sendable, Value: Sendable>(
    key: @escaping @Sendable () -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable (First, repeat each Argument) async throws -> Value
  ) -> MemoizedFunction<CacheKey, Value, First, repeat each Argument> {
    cached(
      key: { (_: First, _: repeat each Argument) in key() },
      expiry: expiry,
      policy: policy,
      producer
    )
  }

  /// Refuses a key closure of one argument in front of a function of two or more.
  ///
  /// - Parameters:
  ///   - key: a closure that leaves arguments out.
  ///   - expiry: how long values stay fresh.
  ///   - staleWhileRevalidate: how long after that it is returned while it is loaded again.
  ///   - staleIfError: how long after that it is returned when a load fails.
  ///   - tags: labels of the entry.
  ///   - policy: everything else.
  ///   - producer: the function.
  /// - Returns: nothing: it cannot be called.
  @available(
    *,
    unavailable,
    message:
      "the key closure takes all arguments of the function; use them all, key: { \"…/\\($0)/\\($1)\" }"
  )
  public func cached<
    First: Sendable,
    Second: Sendable,
    each Argument: Sendable,
    Value: Sendable
  >(
    key: @escaping @Sendable (First) -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Second, repeat each Argument) async throws -> Value
  ) -> MemoizedFunction<CacheKey, Value, First, Second, repeat each Argument> {
    cached(
      key: { (first: First, _: Second, _: repeat each Argument) in key(first) },
      expiry: expiry,
      policy: policy,
      producer
    )
  }

  /// Refuses a key closure of two arguments in front of a function of three or more.
  ///
  /// - Parameters:
  ///   - key: a closure that leaves arguments out.
  ///   - expiry: how long values stay fresh.
  ///   - staleWhileRevalidate: how long after that it is returned while it is loaded again.
  ///   - staleIfError: how long after that it is returned when a load fails.
  ///   - tags: labels of the entry.
  ///   - policy: everything else.
  ///   - producer: the function.
  /// - Returns: nothing: it cannot be called.
  @available(
    *,
    unavailable,
    message:
      "the key closure takes all arguments of the function; use them all, key: { \"…/\\($0)/\\($1)/\\($2)\" }"
  )
  public func cached<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    each Argument: Sendable,
    Value: Sendable
  >(
    key: @escaping @Sendable (First, Second) -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Second, Third, repeat each Argument) async throws ->
      Value
  ) -> MemoizedFunction<CacheKey, Value, First, Second, Third, repeat each Argument> {
    cached(
      key: { (first: First, second: Second, _: Third, _: repeat each Argument) in
        key(first, second)
      },
      expiry: expiry,
      policy: policy,
      producer
    )
  }

  /// Refuses a literal key in front of a function that takes arguments.
  ///
  /// - Parameters:
  ///   - key: one key for all arguments.
  ///   - expiry: how long values stay fresh.
  ///   - staleWhileRevalidate: how long after that it is returned while it is loaded again.
  ///   - staleIfError: how long after that it is returned when a load fails.
  ///   - tags: labels of the entry.
  ///   - policy: everything else.
  ///   - producer: the function.
  /// - Returns: nothing: it cannot be called.
  @available(
    *,
    unavailable,
    message: "the function takes arguments; make the key a closure of them, key: { \"…/\\($0)\" }"
  )
  public func cached<First: Sendable, each Argument: Sendable, Value: Sendable>(
    key: CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable (First, repeat each Argument) async throws -> Value
  ) -> MemoizedFunction<CacheKey, Value, First, repeat each Argument> {
    cached(
      key: { (_: First, _: repeat each Argument) in key },
      expiry: expiry,
      policy: policy,
      producer
    )
  }

  /// Refuses a `String` as a key: only literals know which of their parts must be escaped.
  ///
  /// - Parameters:
  ///   - key: a string.
  ///   - expiry: how long values stay fresh.
  ///   - staleWhileRevalidate: how long after that it is returned while it is loaded again.
  ///   - staleIfError: how long after that it is returned when a load fails.
  ///   - tags: labels of the entry.
  ///   - policy: everything else.
  ///   - mode: how this call uses the cache; `nil` takes the mode that ``Caches/withMode(_:_:)`` has
  ///     bound.
  ///   - condition: whether to use the cache at all.
  ///   - storing: whether a produced value may be stored.
  ///   - fallback: what to return instead of an error.
  ///   - producer: computes the value.
  /// - Returns: nothing: it cannot be called.
  /// - Throws: nothing.
  @available(
    *,
    unavailable,
    message:
      "a String is not a key; interpolate it, key: \"\\(name)\", or parse CacheKey(printable:)"
  )
  @_disfavoredOverload
  public nonisolated(nonsending) func cached<Value: Sendable>(
    key: String,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    mode: CacheMode? = nil,
    when condition: Bool = true,
    storing: (@Sendable (Value) -> Bool)? = nil,
    default fallback: Value? = nil,
    _ producer: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    try await producer()
  }

  /// Refuses a previous value behind three named arguments.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - expiry: how long values stay fresh.
  ///   - staleWhileRevalidate: how long after that it is returned while it is loaded again.
  ///   - staleIfError: how long after that it is returned when a load fails.
  ///   - tags: labels of the entry.
  ///   - policy: everything else.
  ///   - producer: the function.
  /// - Returns: nothing: it cannot be called.
  @available(
    *,
    unavailable,
    message:
      "a named function with a previous value takes at most two arguments; use key: { \"…/\\($0)/\\($1)/\\($2)\" }"
  )
  public func cached<First: Sendable, Second: Sendable, Third: Sendable, Value: Sendable>(
    _ name: String,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Second, Third, Previous<Value>?) async throws ->
      Produced<Value>
  ) -> MemoizedFunction<CacheKey, Value, First, Second, Third> {
    cached(key: { (_: First, _: Second, _: Third) in "" }, policy: policy, producer)
  }
}
