/// The slow path of the immediate form: what its parameters say.
@usableFromInline
struct ImmediateCall<Value: Sendable>: Sendable {
  let policy: CachePolicy
  let mode: CacheMode?
  let storing: (@Sendable (Value) -> Bool)?
  let fallback: Value?

  @usableFromInline
  init(
    policy: CachePolicy,
    mode: CacheMode?,
    storing: (@Sendable (Value) -> Bool)?,
    fallback: Value?
  ) {
    self.policy = policy
    self.mode = mode
    self.storing = storing
    self.fallback = fallback
  }

  /// Looks the key up with a plain producer.
  @usableFromInline
  nonisolated(nonsending) func load(
    _ key: CacheKey,
    from table: Cache<CacheKey, Value>,
    producing producer: @escaping @concurrent @Sendable () async throws -> Value
  ) async throws -> Value {
    try await load(key, from: table, .plain(producer))
  }

  /// Looks the key up, after the fast path has missed or the mode forbade it.
  @usableFromInline
  nonisolated(nonsending) func load(
    _ key: CacheKey,
    from table: Cache<CacheKey, Value>,
    producer: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> Value {
    try await load(key, from: table, .deciding(producer))
  }

  /// The same with a producer that sees the previous value.
  @usableFromInline
  nonisolated(nonsending) func load(
    _ key: CacheKey,
    from table: Cache<CacheKey, Value>,
    conditional producer:
      @escaping @concurrent @Sendable (Previous<Value>?) async throws -> Produced<Value>
  ) async throws -> Value {
    try await load(key, from: table, .conditional(producer))
  }

  @inline(__always)
  private nonisolated(nonsending) func load(
    _ key: CacheKey,
    from table: Cache<CacheKey, Value>,
    _ producer: Producer<Value>
  ) async throws -> Value {
    let bound = Ambient.mode
    let mode = mode ?? bound
    let request = LoadRequest(mode: mode, policy: policy, storing: storing, producer: producer)
    do {
      // Memory was not asked while a mode is bound.
      guard mode == .default, bound == .default else {
        return try await table.lookup(key, request).loaded.value
      }
      return try await table.load(key, request).loaded.value
    } catch {
      if let fallback, !(error is CancellationError) { return fallback }
      throw error
    }
  }
}

extension CacheFeature.Source {
  /// A fresh value from the memory of this call's tables.
  @inlinable @inline(__always)
  func probe<Value: Sendable>(_ key: CacheKey, _ value: Value.Type) -> Value? {
    switch self {
    case .fixed(let tables): return tables.probe(key, value)
    case .current:
      guard let memo = unsafe Ambient.memoOfPlainCalls(),
        let known = unsafe memo._withUnsafeGuaranteedRef({
          unsafe $0.find(TableMemo.identity(of: value), as: Cache<CacheKey, Value>.self)
        })
      else { return probeResolved(key, value) }
      return unsafe known._withUnsafeGuaranteedRef { $0.memory.value(for: key) }
    }
  }

  @usableFromInline @inline(never)
  func probeResolved<Value: Sendable>(_ key: CacheKey, _ value: Value.Type) -> Value? {
    tables.probe(key, value)
  }
}
