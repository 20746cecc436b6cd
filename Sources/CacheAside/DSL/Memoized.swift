/// A function of one argument with a cache in front: call it like the function itself.
///
/// Its entries are identified by its name and argument. It is a value: pass it, store it, or turn
/// it into a closure with ``asFunction``. Functions of one name and the same types share entries.
public struct Memoized<Argument: CacheKeyConvertible, Value: Sendable>: Sendable {
  @usableFromInline var call: MemoizedCall<Argument.KeyIdentity, Value>
  var body: MemoizedBody<Argument, Value>
  @usableFromInline var isConditional = false

  @usableFromInline
  init(
    _ source: CacheFeature.Source,
    name: String,
    policy: CachePolicy,
    producer: @escaping @Sendable (Argument) -> Producer<Value>
  ) {
    body = MemoizedBody(producer: producer)
    call = MemoizedCall(
      source,
      name: name,
      strategy: .arguments(name: name),
      policy: policy
    )
  }

  /// Returns the cached value, or runs the function once for all concurrent callers.
  ///
  /// A hit returns without suspending or allocating.
  ///
  /// - Parameter argument: the argument.
  /// - Returns: the value.
  /// - Throws: as `Cache.cached`.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func callAsFunction(
    _ argument: Argument
  ) async throws -> Value {
    let identity = argument.keyIdentity
    if !isConditional, let value = call.handle.probe(identity) { return value }
    return try await load(identity, argument, mode: nil, isProbed: !isConditional)
  }

  /// Returns the value as a mode says.
  ///
  /// - Parameters:
  ///   - argument: the argument.
  ///   - mode: how this call uses the cache.
  /// - Returns: the value.
  /// - Throws: as `Cache.cached`; `CacheError` with the code `notCached` in mode `.cacheOnly`.
  public nonisolated(nonsending) func callAsFunction(
    _ argument: Argument,
    mode: CacheMode
  ) async throws -> Value {
    try await load(argument.keyIdentity, argument, mode: mode, isProbed: false)
  }

  @usableFromInline @inline(never)
  nonisolated(nonsending) func load(
    _ identity: Argument.KeyIdentity,
    _ argument: Argument,
    mode: CacheMode?,
    isProbed: Bool
  ) async throws -> Value {
    try await call.load(
      identity,
      mode: body.mode(mode, for: argument),
      isProbed: isProbed,
      body.producer(argument)
    )
  }
}
