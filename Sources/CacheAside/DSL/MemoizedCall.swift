/// What the callables share: their table, their policy, and what a call does beyond a hit.
@usableFromInline
struct MemoizedCall<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let handle: TableHandle<Key, Value>
  var policy: CachePolicy
  var storing: (@Sendable (Value) -> Bool)?
  var fallback: Value?

  @usableFromInline
  init(
    _ source: CacheFeature.Source,
    name: String?,
    strategy: KeyStrategy<Key>,
    expiry: Expiry?,
    policy: CachePolicy?
  ) {
    handle = TableHandle(source, name: name, strategy: strategy)
    self.policy = policy ?? CachePolicy()
    if let expiry { self.policy.expiry = expiry }
  }

  /// Everything but a hit in the default mode; `isProbed` says that memory was asked and had
  /// nothing, so that a call counts one miss.
  @usableFromInline
  nonisolated(nonsending) func load(
    _ key: Key,
    mode: CacheMode,
    isProbed: Bool,
    _ produce: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> Value {
    do {
      let table = handle.resolve()
      let request = request(mode, produce)
      guard mode == .default else { return try await table.lookup(key, request).loaded.value }
      if !isProbed, let value = table.probe(key) { return value }
      return try await table.load(key, request).loaded.value
    } catch {
      if let fallback, !(error is CancellationError) { return fallback }
      throw error
    }
  }

  nonisolated(nonsending) func outcome(
    _ key: Key,
    mode: CacheMode,
    _ produce: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) async throws -> CacheOutcome<Value> {
    let table = handle.resolve()
    let (loaded, joined) = try await table.lookup(key, request(mode, produce))
    return loaded.outcome(joined: joined, now: table.core.time.precise)
  }

  private func request(
    _ mode: CacheMode,
    _ produce: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) -> LoadRequest<Value> {
    LoadRequest(mode: mode, policy: policy, storing: storing, produce: produce)
  }
}
