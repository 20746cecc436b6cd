/// A function of one argument with a cache in front: call it like the function itself.
///
/// Its entries are identified by its name and argument. It is a value: pass it, store it, or turn
/// it into a closure with ``asFunction``. Functions of one name and the same types share entries.
public struct Memoized<Argument: CacheKeyConvertible, Value: Sendable>: Sendable {
  @usableFromInline var call: MemoizedCall<Argument.KeyIdentity, Value>
  @usableFromInline let producer: @concurrent @Sendable (Argument) async throws -> Produced<Value>
  @usableFromInline var condition: (@Sendable (Argument) -> Bool)?
  let keyName: String

  @usableFromInline
  init(
    _ source: CacheFeature.Source,
    name: String,
    expiry: Expiry?,
    policy: CachePolicy?,
    producer: @escaping @concurrent @Sendable (Argument) async throws -> Produced<Value>
  ) {
    self.keyName = name
    self.producer = producer
    call = MemoizedCall(
      source,
      name: name,
      strategy: .arguments(name: name),
      expiry: expiry,
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
    if condition == nil, let value = call.handle.probe(identity) { return value }
    return try await load(identity, argument, mode: .default, isProbed: condition == nil)
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
    mode: CacheMode,
    isProbed: Bool
  ) async throws -> Value {
    let isCached = condition.map { $0(argument) } ?? true
    return try await call.load(
      identity,
      mode: isCached ? mode : .bypass,
      isProbed: isProbed
    ) { [producer] in try await producer(argument) }
  }
}
