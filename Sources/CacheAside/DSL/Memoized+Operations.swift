extension Memoized {
  /// The fresh value in memory, or `nil`: no load, no statistics, no recency.
  ///
  /// - Parameter argument: the argument.
  /// - Returns: the value.
  public func peek(_ argument: Argument) -> Value? {
    call.handle.resolve().peek(argument.keyIdentity)
  }

  /// Returns the value with the story of how it was found.
  ///
  /// - Parameters:
  ///   - argument: the argument.
  ///   - mode: how this call uses the cache; `nil` takes the mode that ``Caches/withMode(_:_:)``
  ///     has bound.
  /// - Returns: the value with source, age and remaining life.
  /// - Throws: as the call itself; also where ``default(_:)`` would return a value instead.
  public nonisolated(nonsending) func outcome(
    _ argument: Argument,
    mode: CacheMode? = nil
  ) async throws -> CacheOutcome<Value> {
    try await call.outcome(
      argument.keyIdentity,
      mode: body.mode(mode, for: argument),
      body.producer(argument)
    )
  }

  /// The cached value at once, then the value of a new load when it differs: for user interfaces.
  ///
  /// As `Cache.updates`. What ``default(_:)`` says is shown only where nothing is cached and the load
  /// fails; where the condition of ``when(_:)`` does not hold there is one value, uncached.
  ///
  /// - Parameter argument: the argument.
  /// - Returns: the sequence; nothing is read before it is iterated.
  public func updates(_ argument: Argument) -> CacheUpdates<Value> {
    call.updates(
      argument.keyIdentity,
      mode: body.mode(nil, for: argument),
      body.producer(argument)
    )
  }

  /// Says what every tier has under the key of a call, and what the next call would do.
  ///
  /// - Parameter argument: the argument.
  /// - Returns: a snapshot; nothing was loaded, counted or changed for it.
  public nonisolated(nonsending) func explain(_ argument: Argument) async -> CacheExplanation {
    await call.handle.resolve().explain(argument.keyIdentity, policy: call.terms.policy)
  }

  /// Loads now, stores and returns the value; joins no load that began earlier.
  ///
  /// - Parameter argument: the argument.
  /// - Returns: the new value.
  /// - Throws: as the call itself; `CacheError` with the code `closed` once the feature's
  ///   `close(within:)` has begun.
  @discardableResult
  public nonisolated(nonsending) func refresh(
    _ argument: Argument
  ) async throws -> Value {
    try call.checkOpen(argument.keyIdentity)
    return try await callAsFunction(argument, mode: .reload)
  }

  /// Makes the entry expired from now on; the next call loads.
  ///
  /// - Parameter argument: the argument.
  /// - Throws: as `Cache.expire(_:)`.
  public nonisolated(nonsending) func expire(_ argument: Argument) async throws {
    try await call.handle.resolve().expire(argument.keyIdentity)
  }

  /// Removes the entry from every tier.
  ///
  /// - Parameter argument: the argument.
  /// - Throws: as `Cache.remove(_:)`.
  public nonisolated(nonsending) func remove(_ argument: Argument) async throws {
    try await call.handle.resolve().remove(argument.keyIdentity)
  }

  /// The key of a call, as `CacheFeature.remove(_:)` and tools take it.
  ///
  /// - Parameter argument: the argument.
  /// - Returns: the key.
  public func key(for argument: Argument) -> CacheKey {
    call.handle.strategy.derive(argument.keyIdentity)
  }

  /// The function without the cache.
  public var uncached: @concurrent @Sendable (Argument) async throws -> Value {
    { [body] (argument: Argument) in try await body.producer(argument)(previous: nil).made() }
  }

  /// This callable as a closure; it costs some 70 ns more per call than the callable.
  public var asFunction: @concurrent @Sendable (Argument) async throws -> Value {
    { (argument: Argument) in try await self(argument) }
  }

  /// A copy that goes uncached and unshared where a condition does not hold.
  ///
  /// - Parameter condition: called before each call.
  /// - Returns: the changed copy.
  public func when(_ condition: @escaping @Sendable (Argument) -> Bool) -> Self {
    var copy = self
    copy.body = body.when(condition)
    copy.isConditional = true
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
