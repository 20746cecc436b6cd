/// What the callables share: their table, their policy, and what a call does beyond a hit.
@usableFromInline
struct MemoizedCall<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The terms behind a reference, so that the callable is small to copy.
  private final class Storage: Sendable {
    let terms: MemoizedTerms<Value>

    init(_ terms: MemoizedTerms<Value>) { self.terms = terms }
  }

  @usableFromInline let handle: TableHandle<Key, Value>
  private var storage: Storage

  var terms: MemoizedTerms<Value> {
    get { storage.terms }
    set { storage = Storage(newValue) }
  }

  @usableFromInline
  init(
    _ source: CacheFeature.Source,
    name: String?,
    strategy: KeyStrategy<Key>,
    policy: CachePolicy
  ) {
    handle = TableHandle(source, name: name, strategy: strategy)
    storage = Storage(MemoizedTerms(policy: policy))
  }

  /// Everything but a hit in the default mode; `isProbed` says that memory was asked and had
  /// nothing, so that a call counts one miss; it is not asked while a mode is bound.
  @usableFromInline
  nonisolated(nonsending) func load(
    _ key: Key,
    mode: CacheMode?,
    isProbed: Bool,
    _ producer: Producer<Value>
  ) async throws -> Value {
    do {
      let table = handle.resolve()
      let request = request(mode, producer)
      guard request.mode == .default else {
        return try await table.lookup(key, request).loaded.value
      }
      if !isProbed, let value = table.probe(key) { return value }
      return try await table.load(key, request).loaded.value
    } catch {
      if let fallback = terms.fallback, !(error is CancellationError) { return fallback }
      throw error
    }
  }

  nonisolated(nonsending) func outcome(
    _ key: Key,
    mode: CacheMode?,
    _ producer: Producer<Value>
  ) async throws -> CacheOutcome<Value> {
    let table = handle.resolve()
    let (loaded, joined) = try await table.lookup(key, request(mode, producer))
    return loaded.outcome(joined: joined, now: table.core.time.precise)
  }

  /// The cached value, then a new one; `mode` is `.bypass` for a call that shares nothing.
  func updates(
    _ key: Key,
    mode: CacheMode?,
    _ producer: Producer<Value>
  ) -> CacheUpdates<Value> {
    let steps = UpdateSteps(
      handle.resolve(),
      key,
      request(mode ?? .default, producer),
      user: handle
    )
    return CacheUpdates(terms.fallback.map(steps.orFallback) ?? steps)
  }

  /// Refuses a verb once the cache is closed.
  func checkOpen(_ key: @autoclosure () -> Key) throws {
    try handle.resolve().core.checkOpen(handle.strategy.derive(key()))
  }

  /// What a call asks of the engine.
  func request(_ mode: CacheMode?, _ producer: Producer<Value>) -> LoadRequest<Value> {
    LoadRequest(
      mode: mode ?? Ambient.mode,
      policy: terms.policy,
      storing: terms.storing,
      producer: producer
    )
  }
}
