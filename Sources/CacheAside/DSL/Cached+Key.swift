// `cached` around a function, the key derived by a closure.

/// Puts a cache in front of a function, with a key derived from its arguments by a closure.
///
/// The key closure runs once a call; arguments that give one key share one entry.
///
/// ```swift
/// let fetchUser = cached(key: { "user/\($0)" }, expiry: .minutes(5)) { (id: Int) in
///   try await api.user(id)
/// }
/// ```
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
    .current,
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
  _ producer: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Produced<Value>
) -> MemoizedFunction<CacheKey, Value, repeat each Argument> {
  MemoizedFunction(
    .current,
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
