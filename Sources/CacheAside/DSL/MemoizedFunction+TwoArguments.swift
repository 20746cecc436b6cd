// Calls of two arguments that are the key. Through the pack they would be copied into memory for
// the key's closure, and the string in them retained twice more on every hit.

extension MemoizedFunction
where Key: TwoArgumentKey, Key.Arguments == (repeat each Argument) {
  /// Returns the cached value, or runs the function once for all concurrent callers.
  ///
  /// A hit returns without suspending or allocating.
  ///
  /// - Parameters:
  ///   - first: the first argument.
  ///   - second: the second argument.
  /// - Returns: the value.
  /// - Throws: as `Cache.cached`.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func callAsFunction(
    _ first: Key.First,
    _ second: Key.Second
  ) async throws -> Value {
    let identity = Key(first, second).keyIdentity
    if isKeyedByPair, let value = call.handle.probe(identity) { return value }
    return try await load(identity, first, second)
  }

  // Inlinable, so that it takes the identity and the arguments as they are: a place in memory for
  // each would cost a hit a reference to each.
  @inlinable @inline(never)
  nonisolated(nonsending) func load(
    _ identity: Key.KeyIdentity,
    _ first: Key.First,
    _ second: Key.Second
  ) async throws -> Value {
    guard isKeyedByPair else { return try await packed(first, second) }
    let argument = Key(first, second).arguments
    return try await call.load(
      identity,
      mode: nil,
      isProbed: true,
      body.producer(repeat each argument)
    )
  }

  /// The call of a function that has a condition, or parts that happen to be a pair of these types.
  @usableFromInline
  nonisolated(nonsending) func packed(
    _ first: Key.First,
    _ second: Key.Second
  ) async throws -> Value {
    let argument = Key(first, second).arguments
    return try await callAsFunction(repeat each argument)
  }
}
