// The forms of the global `cached` with a previous value, in a feature.

extension CacheFeature {
  /// Returns the cached value, or runs a producer that can ask its source whether the old one is right.
  ///
  /// The producer gets what was there before, of any age that is kept, and may answer `.notModified`:
  /// then the old value gets a new lifetime in every store, without being encoded again. A hit returns
  /// without suspending or allocating.
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
  ///   - producer: gets the previous value, if there is one, and computes the answer.
  /// - Returns: the value.
  /// - Throws: the producer's error, to every caller that waited for it; `CancellationError`;
  ///   `CacheError` for a recursive load, an expiry that is not a number, `.notModified` without a
  ///   previous value, or the mode `.cacheOnly`.
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
    _ producer:
      @autoclosure () -> @concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>
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
    ).load(key, from: tables.table(Value.self), conditional: producer())
  }

  /// Puts a cache in front of a function of no argument that can ask its source whether the old value is
  /// right.
  ///
  /// The name is the key. The function may answer `.notModified`: then the old value gets a new
  /// lifetime in every store.
  ///
  /// - Parameters:
  ///   - name: the name; two functions of one name and the same types share their entries.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function; its last argument is the previous value, if there is one.
  /// - Returns: the callable.
  public func cached<Value: Sendable>(
    _ name: String,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>
  ) -> MemoizedFunction<ArgumentPack<>, Value> {
    MemoizedFunction(
      source,
      name: name,
      strategy: .arguments(name: name),
      policy: CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      key: { ArgumentPack() },
      producer: { .conditional { try await producer($0) } }
    )
  }

  /// Puts a cache in front of a function of one argument that can ask its source whether the old value is
  /// right.
  ///
  /// The name and the argument are the key. The function may answer `.notModified`: then the old value gets a new
  /// lifetime in every store.
  ///
  /// - Parameters:
  ///   - name: the name; two functions of one name and the same types share their entries.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function; its last argument is the previous value, if there is one.
  /// - Returns: the callable.
  public func cached<First: CacheKeyConvertible, Value: Sendable>(
    _ name: String,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Previous<Value>?) async throws -> Produced<Value>
  ) -> Memoized<First, Value> {
    Memoized(
      source,
      name: name,
      policy: CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      producer: { first in .conditional { try await producer(first, $0) } }
    )
  }

  /// Puts a cache in front of a function of two arguments that can ask its source whether the old value is
  /// right.
  ///
  /// The name and the arguments are the key. The function may answer `.notModified`: then the old value gets a new
  /// lifetime in every store.
  ///
  /// - Parameters:
  ///   - name: the name; two functions of one name and the same types share their entries.
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
  public func cached<First: CacheKeyConvertible, Second: CacheKeyConvertible, Value: Sendable>(
    _ name: String,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (First, Second, Previous<Value>?) async throws -> Produced<
        Value
      >
  ) -> MemoizedFunction<ArgumentPair<First, Second>, Value, First, Second> {
    MemoizedFunction(
      source,
      name: name,
      strategy: .arguments(name: name),
      policy: CachePolicy(
        over: policy,
        expiry: expiry,
        staleWhileRevalidate: staleWhileRevalidate,
        staleIfError: staleIfError,
        tags: tags
      ),
      isKeyedByPair: true,
      key: { ArgumentPair($0, $1) },
      producer: { first, second in .conditional { try await producer(first, second, $0) } }
    )
  }
}
