// The forms of the global `cached`, in a feature.

extension CacheFeature {
  /// Puts a cache in front of a function of one argument, identified by a part of it.
  ///
  /// The name and the part are the key.
  ///
  /// - Parameters:
  ///   - name: the name; two functions of one name and the same types share their entries.
  ///   - part: selects what identifies a call; synchronous, without side effects.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function.
  /// - Returns: the callable.
  public func cached<Part: CacheKeyConvertible, Argument: Sendable, Value: Sendable>(
    _ name: String,
    by part: @escaping @Sendable (Argument) -> Part,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable (Argument) async throws -> Value
  ) -> MemoizedFunction<Part, Value, Argument> {
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
      key: part,
      producer: { argument in .plain { try await producer(argument) } }
    )
  }

  /// Puts a cache in front of a function, identified by a part of its arguments.
  ///
  /// The name and the part are the key.
  ///
  /// - Parameters:
  ///   - name: the name; two functions of one name and the same types share their entries.
  ///   - part: selects what identifies a call; synchronous, without side effects.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function.
  /// - Returns: the callable.
  public func cached<Part: CacheKeyConvertible, each Argument: Sendable, Value: Sendable>(
    _ name: String,
    by part: @escaping @Sendable (repeat each Argument) -> Part,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable (repeat each Argument) async throws -> Value
  ) -> MemoizedFunction<Part, Value, repeat each Argument> {
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
      key: part,
      producer: { (argument: repeat each Argument) in
        .plain { try await producer(repeat each argument) }
      }
    )
  }

  /// Puts a cache in front of a function of one argument, identified by a part of it and a producer that decides.
  ///
  /// The name and the part are the key.
  ///
  /// - Parameters:
  ///   - name: the name; two functions of one name and the same types share their entries.
  ///   - part: selects what identifies a call; synchronous, without side effects.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function.
  /// - Returns: the callable.
  public func cached<Part: CacheKeyConvertible, Argument: Sendable, Value: Sendable>(
    _ name: String,
    by part: @escaping @Sendable (Argument) -> Part,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer: @escaping @concurrent @Sendable (Argument) async throws -> Produced<Value>
  ) -> MemoizedFunction<Part, Value, Argument> {
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
      key: part,
      producer: { argument in .deciding { try await producer(argument) } }
    )
  }

  /// Puts a cache in front of a function, identified by a part of its arguments and a producer that decides.
  ///
  /// The name and the part are the key.
  ///
  /// - Parameters:
  ///   - name: the name; two functions of one name and the same types share their entries.
  ///   - part: selects what identifies a call; synchronous, without side effects.
  ///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
  ///   - staleWhileRevalidate: how long after that a value is still returned at once while one load
  ///     behind it replaces it; `nil` inherits.
  ///   - staleIfError: how long after that a value is still returned when its load fails; `nil`
  ///     inherits.
  ///   - tags: labels in addition to the feature's, by which entries can be expired or removed.
  ///   - policy: everything else; unset fields are inherited.
  ///   - producer: the function.
  /// - Returns: the callable.
  public func cached<Part: CacheKeyConvertible, each Argument: Sendable, Value: Sendable>(
    _ name: String,
    by part: @escaping @Sendable (repeat each Argument) -> Part,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = [],
    policy: CachePolicy? = nil,
    _ producer:
      @escaping @concurrent @Sendable (repeat each Argument) async throws -> Produced<Value>
  ) -> MemoizedFunction<Part, Value, repeat each Argument> {
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
      key: part,
      producer: { (argument: repeat each Argument) in
        .deciding { try await producer(repeat each argument) }
      }
    )
  }
}
