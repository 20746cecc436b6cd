// The forms of the global `cached` with a previous value, in a feature.

extension CacheFeature {
  /// Puts a cache in front of a function of no argument, with a key made by a closure and a producer that
  /// can ask its source whether the old value is right.
  ///
  /// It may answer `.notModified`: then the old value gets a new lifetime in every store.
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
  ///   - producer: the function; its last argument is the previous value, if there is one.
  /// - Returns: the callable.
  @inlinable
  public func cached<Value: Sendable>(
    key: @escaping @Sendable () -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>
  ) -> MemoizedFunction<CacheKey, Value> {
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
      producer: { .conditional { try await producer($0) } }
    )
  }

  /// Puts a cache in front of a function of one argument, with a key made by a closure and a producer that
  /// can ask its source whether the old value is right.
  ///
  /// It may answer `.notModified`: then the old value gets a new lifetime in every store.
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
  ///   - producer: the function; its last argument is the previous value, if there is one.
  /// - Returns: the callable.
  @inlinable
  public func cached<First: Sendable, Value: Sendable>(
    key: @escaping @Sendable (First) -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Previous<Value>?) async throws -> Produced<Value>
  ) -> MemoizedFunction<CacheKey, Value, First> {
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
      producer: { first in .conditional { try await producer(first, $0) } }
    )
  }

  /// Puts a cache in front of a function of two arguments, with a key made by a closure and a producer that
  /// can ask its source whether the old value is right.
  ///
  /// It may answer `.notModified`: then the old value gets a new lifetime in every store.
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
  ///   - producer: the function; its last argument is the previous value, if there is one.
  /// - Returns: the callable.
  @inlinable
  public func cached<First: Sendable, Second: Sendable, Value: Sendable>(
    key: @escaping @Sendable (First, Second) -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Second, Previous<Value>?) async throws -> Produced<
        Value
      >
  ) -> MemoizedFunction<CacheKey, Value, First, Second> {
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
      producer: { first, second in .conditional { try await producer(first, second, $0) } }
    )
  }

  /// Puts a cache in front of a function of three arguments, with a key made by a closure and a producer that
  /// can ask its source whether the old value is right.
  ///
  /// It may answer `.notModified`: then the old value gets a new lifetime in every store.
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
  ///   - producer: the function; its last argument is the previous value, if there is one.
  /// - Returns: the callable.
  @inlinable
  public func cached<First: Sendable, Second: Sendable, Third: Sendable, Value: Sendable>(
    key: @escaping @Sendable (First, Second, Third) -> CacheKey,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Second, Third, Previous<Value>?) async throws ->
      Produced<Value>
  ) -> MemoizedFunction<CacheKey, Value, First, Second, Third> {
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
      producer: { first, second, third in
        .conditional { try await producer(first, second, third, $0) }
      }
    )
  }
}
