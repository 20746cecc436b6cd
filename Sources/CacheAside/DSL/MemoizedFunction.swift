/// A function of any number of arguments with a cache in front: call it like the function itself.
///
/// Its entries are identified by what its key is made of: a `key:` closure, all arguments, or the
/// parts that `by:` selects. It is a value: pass it, store it, or turn it into a closure with
/// ``asFunction``.
public struct MemoizedFunction<
  Key: CacheKeyConvertible,
  Value: Sendable,
  each Argument: Sendable
>: Sendable {
  @usableFromInline var call: MemoizedCall<Key.KeyIdentity, Value>
  @usableFromInline let key: @Sendable (repeat each Argument) -> Key
  @usableFromInline var body: MemoizedFunctionBody<Value, repeat each Argument>
  @usableFromInline var isConditional = false
  /// Whether the key is the pair of the arguments, and calls are unconditional.
  @usableFromInline var isKeyedByPair: Bool

  @usableFromInline
  init(
    _ source: CacheFeature.Source,
    name: String?,
    strategy: KeyStrategy<Key.KeyIdentity>,
    policy: CachePolicy,
    isKeyedByPair: Bool = false,
    key: @escaping @Sendable (repeat each Argument) -> Key,
    producer: @escaping @Sendable (repeat each Argument) -> Producer<Value>
  ) {
    self.key = key
    self.isKeyedByPair = isKeyedByPair
    body = MemoizedFunctionBody(producer: producer)
    call = MemoizedCall(
      source,
      name: name,
      strategy: strategy,
      policy: policy
    )
  }

  /// Returns the cached value, or runs the function once for all concurrent callers.
  ///
  /// A hit returns without suspending or allocating.
  ///
  /// - Parameter argument: the arguments.
  /// - Returns: the value.
  /// - Throws: as `Cache.cached`.
  @_disfavoredOverload  // Calls of two arguments that are the key have their own.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func callAsFunction(
    _ argument: repeat each Argument
  ) async throws -> Value {
    let identity = key(repeat each argument).keyIdentity
    if !isConditional, let value = call.handle.probe(identity) { return value }
    return try await load(
      identity,
      repeat each argument,
      mode: nil,
      isProbed: !isConditional
    )
  }

  /// Returns the value as a mode says.
  ///
  /// - Parameters:
  ///   - argument: the arguments.
  ///   - mode: how this call uses the cache.
  /// - Returns: the value.
  /// - Throws: as `Cache.cached`; `CacheError` with the code `notCached` in mode `.cacheOnly`.
  public nonisolated(nonsending) func callAsFunction(
    _ argument: repeat each Argument,
    mode: CacheMode
  ) async throws -> Value {
    try await load(
      key(repeat each argument).keyIdentity,
      repeat each argument,
      mode: mode,
      isProbed: false
    )
  }

  @usableFromInline @inline(never)
  nonisolated(nonsending) func load(
    _ identity: Key.KeyIdentity,
    _ argument: repeat each Argument,
    mode: CacheMode?,
    isProbed: Bool
  ) async throws -> Value {
    try await call.load(
      identity,
      mode: body.mode(mode, for: repeat each argument),
      isProbed: isProbed,
      body.producer(repeat each argument)
    )
  }
}
