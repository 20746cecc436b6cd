// `cached` around a function, identified by a name and its arguments.

/// Puts a cache in front of a function of one argument: the fastest form.
///
/// The name and the argument are the key.
///
/// ```swift
/// let fetchUser = cached("user", expiry: .minutes(5)) { (id: Int) in try await api.user(id) }
/// ```
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
///   - producer: the function.
/// - Returns: the callable.
public func cached<Argument: CacheKeyConvertible, Value: Sendable>(
  _ name: String,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  _ producer: @escaping @concurrent @Sendable (Argument) async throws -> Value
) -> Memoized<Argument, Value> {
  Memoized(
    .current,
    name: name,
    policy: CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    ),
    producer: { argument in .plain { try await producer(argument) } }
  )
}

/// Puts a cache in front of a function of two arguments.
///
/// The name and the arguments are the key.
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
///   - producer: the function.
/// - Returns: the callable.
@inlinable
public func cached<First: CacheKeyConvertible, Second: CacheKeyConvertible, Value: Sendable>(
  _ name: String,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  _ producer: @escaping @concurrent @Sendable (First, Second) async throws -> Value
) -> MemoizedFunction<ArgumentPair<First, Second>, Value, First, Second> {
  MemoizedFunction(
    .current,
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
    producer: { first, second in .plain { try await producer(first, second) } }
  )
}

/// Puts a cache in front of a function of no, three or more arguments.
///
/// The name and the arguments are the key.
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
///   - producer: the function.
/// - Returns: the callable.
public func cached<each Argument: CacheKeyConvertible, Value: Sendable>(
  _ name: String,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  _ producer: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Value
) -> MemoizedFunction<ArgumentPack<repeat each Argument>, Value, repeat each Argument> {
  MemoizedFunction(
    .current,
    name: name,
    strategy: .arguments(name: name),
    policy: CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    ),
    key: { (argument: repeat each Argument) in ArgumentPack(repeat each argument) },
    producer: { (argument: repeat each Argument) in
      .plain { try await producer(repeat each argument) }
    }
  )
}

/// Puts a cache in front of a function of one argument and a producer that decides: the fastest form.
///
/// The name and the argument are the key.
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
///   - producer: the function.
/// - Returns: the callable.
public func cached<Argument: CacheKeyConvertible, Value: Sendable>(
  _ name: String,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  _ producer: @escaping @concurrent @Sendable (Argument) async throws -> Produced<Value>
) -> Memoized<Argument, Value> {
  Memoized(
    .current,
    name: name,
    policy: CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    ),
    producer: { argument in .deciding { try await producer(argument) } }
  )
}

/// Puts a cache in front of a function of two arguments and a producer that decides.
///
/// The name and the arguments are the key.
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
///   - producer: the function.
/// - Returns: the callable.
@inlinable
public func cached<First: CacheKeyConvertible, Second: CacheKeyConvertible, Value: Sendable>(
  _ name: String,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  _ producer: @escaping @concurrent @Sendable (First, Second) async throws -> Produced<Value>
) -> MemoizedFunction<ArgumentPair<First, Second>, Value, First, Second> {
  MemoizedFunction(
    .current,
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
    producer: { first, second in .deciding { try await producer(first, second) } }
  )
}

/// Puts a cache in front of a function of no, three or more arguments and a producer that decides.
///
/// The name and the arguments are the key.
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
///   - producer: the function.
/// - Returns: the callable.
public func cached<each Argument: CacheKeyConvertible, Value: Sendable>(
  _ name: String,
  expiry: Expiry? = nil,
  staleWhileRevalidate: Window? = nil,
  staleIfError: Window? = nil,
  tags: [Tag] = [],
  policy: CachePolicy? = nil,
  _ producer: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Produced<Value>
) -> MemoizedFunction<ArgumentPack<repeat each Argument>, Value, repeat each Argument> {
  MemoizedFunction(
    .current,
    name: name,
    strategy: .arguments(name: name),
    policy: CachePolicy(
      over: policy,
      expiry: expiry,
      staleWhileRevalidate: staleWhileRevalidate,
      staleIfError: staleIfError,
      tags: tags
    ),
    key: { (argument: repeat each Argument) in ArgumentPack(repeat each argument) },
    producer: { (argument: repeat each Argument) in
      .deciding { try await producer(repeat each argument) }
    }
  )
}
