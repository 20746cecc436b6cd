extension MemoizedFunction {
  /// The fresh value in memory, or `nil`: no load, no statistics, no recency.
  ///
  /// - Parameter argument: the arguments.
  /// - Returns: the value.
  public func peek(_ argument: repeat each Argument) -> Value? {
    call.handle.resolve().peek(key(repeat each argument).keyIdentity)
  }

  /// Returns the value with the story of how it was found.
  ///
  /// - Parameters:
  ///   - argument: the arguments.
  ///   - mode: how this call uses the cache; `nil` takes the mode that ``Caches/withMode(_:_:)``
  ///     has bound.
  /// - Returns: the value with source, age and remaining life.
  /// - Throws: as the call itself; also where ``default(_:)`` would return a value instead.
  public nonisolated(nonsending) func outcome(
    _ argument: repeat each Argument,
    mode: CacheMode? = nil
  ) async throws -> CacheOutcome<Value> {
    try await call.outcome(
      key(repeat each argument).keyIdentity,
      mode: body.mode(mode, for: repeat each argument),
      body.producer(repeat each argument)
    )
  }

  /// The cached value at once, then the value of a new load when it differs: for user interfaces.
  ///
  /// As `Cache.updates`. What ``default(_:)`` says is shown only where nothing is cached and the load
  /// fails; where the condition of ``when(_:)`` does not hold there is one value, uncached.
  ///
  /// - Parameter argument: the arguments.
  /// - Returns: the sequence; nothing is read before it is iterated.
  public func updates(_ argument: repeat each Argument) -> CacheUpdates<Value> {
    call.updates(
      key(repeat each argument).keyIdentity,
      mode: body.mode(nil, for: repeat each argument),
      body.producer(repeat each argument)
    )
  }

  /// Says what every tier has under the key of a call, and what the next call would do.
  ///
  /// - Parameter argument: the arguments.
  /// - Returns: a snapshot; nothing was loaded, counted or changed for it.
  public nonisolated(nonsending) func explain(_ argument: repeat each Argument) async
    -> CacheExplanation
  {
    await call.handle.resolve().explain(
      key(repeat each argument).keyIdentity,
      policy: call.terms.policy
    )
  }

  /// Loads now, stores and returns the value; joins no load that began earlier.
  ///
  /// - Parameter argument: the arguments.
  /// - Returns: the new value.
  /// - Throws: as the call itself; `CacheError` with the code `closed` once the feature's
  ///   `close(within:)` has begun.
  @discardableResult
  public nonisolated(nonsending) func refresh(
    _ argument: repeat each Argument
  ) async throws -> Value {
    try call.checkOpen(key(repeat each argument).keyIdentity)
    return try await callAsFunction(repeat each argument, mode: .reload)
  }

  /// Makes the entry expired from now on; the next call loads.
  ///
  /// - Parameter argument: the arguments.
  /// - Throws: as `Cache.expire(_:)`.
  public nonisolated(nonsending) func expire(_ argument: repeat each Argument) async throws {
    try await call.handle.resolve().expire(key(repeat each argument).keyIdentity)
  }

  /// Removes the entry from every tier.
  ///
  /// - Parameter argument: the arguments.
  /// - Throws: as `Cache.remove(_:)`.
  public nonisolated(nonsending) func remove(_ argument: repeat each Argument) async throws {
    try await call.handle.resolve().remove(key(repeat each argument).keyIdentity)
  }

  /// The key of a call, as `CacheFeature.remove(_:)` and tools take it.
  ///
  /// - Parameter argument: the arguments.
  /// - Returns: the key.
  public func key(for argument: repeat each Argument) -> CacheKey {
    call.handle.strategy.derive(key(repeat each argument).keyIdentity)
  }

  /// The function without the cache.
  public var uncached: @concurrent @Sendable (repeat each Argument) async throws -> Value {
    { [body] (argument: repeat each Argument) in
      try await body.producer(repeat each argument)(previous: nil).made()
    }
  }

  /// Runs the function without the cache.
  ///
  /// It stands beside the property, because a property of a variadic function type cannot be
  /// called where it stands.
  ///
  /// - Parameter argument: the arguments.
  /// - Returns: the function's value.
  /// - Throws: the function's error.
  @concurrent
  public func uncached(_ argument: repeat each Argument) async throws -> Value {
    try await body.producer(repeat each argument)(previous: nil).made()
  }

  /// This callable as a closure; it costs some 70 ns more per call than the callable.
  ///
  /// Keep it in a constant or pass it on: with two or more arguments it cannot be called where it
  /// stands.
  public var asFunction: @concurrent @Sendable (repeat each Argument) async throws -> Value {
    { (argument: repeat each Argument) in try await self(repeat each argument) }
  }

  /// A copy that goes uncached and unshared where a condition does not hold.
  ///
  /// - Parameter condition: called before each call.
  /// - Returns: the changed copy.
  public func when(_ condition: @escaping @Sendable (repeat each Argument) -> Bool) -> Self {
    var copy = self
    copy.body = body.when(condition)
    copy.isConditional = true
    copy.isKeyedByPair = false
    return copy
  }

  /// A copy that stores only some of the values it produces.
  ///
  /// - Parameter storing: called with each produced value, outside all locks.
  /// - Returns: the changed copy.
  public func storing(_ storing: @escaping @Sendable (Value) -> Bool) -> Self {
    var copy = self
    copy.call.terms.storing = storing
    return copy
  }

  /// A copy that returns a value of its own when a load fails; it is never stored.
  ///
  /// - Parameter value: what to return instead of an error other than a cancellation.
  /// - Returns: the changed copy.
  public func `default`(_ value: Value) -> Self {
    var copy = self
    copy.call.terms.fallback = value
    return copy
  }
}
