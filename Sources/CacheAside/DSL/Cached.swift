// `cached` in the immediate form: one call, one key.

/// Returns the cached value, or runs the producer once for all concurrent callers of the key.
///
/// A hit returns without suspending or allocating. The producer does not inherit the caller's
/// actor. A cancelled caller leaves at once with `CancellationError`; the load goes on for others.
///
/// ```swift
/// let user = try await cached(key: "user/\(id)", expiry: .minutes(5)) { try await api.user(id) }
/// ```
///
/// - Parameters:
///   - key: the key; interpolated parts are escaped.
///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
///   - policy: everything else; unset fields are inherited.
///   - mode: how this call uses the cache.
///   - condition: whether to use the cache at all; if not, the call is neither cached nor shared.
///   - storing: called with a produced value outside all locks; whether it may be stored.
///   - fallback: what to return instead of an error other than a cancellation; never stored.
///   - producer: computes the value.
/// - Returns: the value.
/// - Throws: the producer's error, to every caller that waited for it; `CancellationError`;
///   `CacheError` for a recursive load, an expiry that is not a number, or the mode `.cacheOnly`.
@_disfavoredOverload  // `storing` and `default` would leave a `Produced` producer ambiguous.
@inlinable @inline(__always)
public nonisolated(nonsending) func cached<Value: Sendable>(
  key: CacheKey,
  expiry: Expiry? = nil,
  policy: CachePolicy? = nil,
  mode: CacheMode = .default,
  when condition: Bool = true,
  storing: (@Sendable (Value) -> Bool)? = nil,
  default fallback: Value? = nil,
  _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Value
) async throws -> Value {
  let source = CacheFeature.Source.current
  if mode.isDefault, condition, let value = source.probe(key, Value.self) { return value }
  let tables = source.tables
  return try await ImmediateCall(
    expiry: expiry,
    policy: policy,
    mode: condition ? mode : .bypass,
    storing: storing,
    fallback: fallback
  ).load(key, from: tables.table(Value.self), producing: producer())
}

/// Returns the cached value, or runs a producer that decides lifetime, cost and storing.
///
/// A hit returns without suspending or allocating. The producer does not inherit the caller's
/// actor. A cancelled caller leaves at once with `CancellationError`; the load goes on for others.
///
/// - Parameters:
///   - key: the key; interpolated parts are escaped.
///   - expiry: how long values stay fresh, unless the producer says otherwise; `nil` inherits.
///   - policy: everything else; unset fields are inherited.
///   - mode: how this call uses the cache.
///   - condition: whether to use the cache at all; if not, the call is neither cached nor shared.
///   - storing: called with a produced value outside all locks; whether it may be stored.
///   - fallback: what to return instead of an error other than a cancellation; never stored.
///   - producer: computes the answer.
/// - Returns: the value.
/// - Throws: the producer's error, to every caller that waited for it; `CancellationError`;
///   `CacheError` for a recursive load, an expiry that is not a number, or the mode `.cacheOnly`.
@inlinable @inline(__always)
public nonisolated(nonsending) func cached<Value: Sendable>(
  key: CacheKey,
  expiry: Expiry? = nil,
  policy: CachePolicy? = nil,
  mode: CacheMode = .default,
  when condition: Bool = true,
  storing: (@Sendable (Value) -> Bool)? = nil,
  default fallback: Value? = nil,
  _ producer: @autoclosure () -> @concurrent @Sendable () async throws -> Produced<Value>
) async throws -> Value {
  let source = CacheFeature.Source.current
  if mode.isDefault, condition, let value = source.probe(key, Value.self) { return value }
  let tables = source.tables
  return try await ImmediateCall(
    expiry: expiry,
    policy: policy,
    mode: condition ? mode : .bypass,
    storing: storing,
    fallback: fallback
  ).load(key, from: tables.table(Value.self), producer: producer())
}
